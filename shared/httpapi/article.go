package httpapi

import (
	"errors"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/record"
)

// An Article is an article as it is read.
type Article struct {
	ID          string   `json:"id" example:"article-42"`
	Title       string   `json:"title" example:"Go 1.26 is released"`
	Link        string   `json:"link,omitempty" format:"http-url" example:"https://go.dev/blog/go1.26"`
	Author      User     `json:"author"`
	PublishedAt string   `json:"publishedAt" format:"date-time" example:"2026-11-20T12:00:00.000Z"`
	Votes       int64    `json:"votes" example:"17" doc:"The author's own included, if the rules count it"`
	Score       int64    `json:"score" example:"1795183344" doc:"Unix seconds of publishing plus the worth of the votes"`
	Groups      []string `json:"groups" nullable:"false" example:"[\"go\",\"news\"]" doc:"Sorted"`
	Interesting bool     `json:"interesting" doc:"Whether it has at least the votes that the rules set"`
	VotingOpen  bool     `json:"votingOpen" doc:"Whether a like now counts as a vote"`

	Listed *bool `json:"listed,omitempty" default:"true" doc:"false for an article that was taken off all lists; left out for others"`
}

// ArticlePath names an article.
type ArticlePath struct {
	ID string `path:"id" format:"id" example:"article-42" doc:"An article's id"`
}

// articleOf makes an article's answer.
func (a *api) articleOf(of record.Listed) Article {
	rules := a.Articles.Rules()
	now := board.MomentOf(a.Now())
	var listed *bool
	if of.Unlisted {
		listed = new(false)
	}
	return Article{
		ID: of.ID, Title: of.Title, Link: of.Link, Author: userOf(of.Author, of.By),
		PublishedAt: a.moment(of.Published), Votes: of.Votes, Score: rules.Score(of.Article),
		Groups:      append([]string{}, of.Groups...),
		Interesting: rules.IsInteresting(of.Article), Listed: listed,
		VotingOpen: of.State == article.Voting && rules.Open(of.Article, now),
	}
}

// articleProblem is the problem of an error about one article, nil for others.
func articleProblem(err error) *Problem {
	switch {
	case errors.Is(err, record.ErrNoArticle):
		return newProblem(CodeUnknownArticle, "no such article")
	case errors.Is(err, record.ErrDeleted):
		return newProblem(CodeArticleDeleted, "the article was deleted; its id cannot be used again")
	case errors.Is(err, record.ErrTaken):
		return newProblem(CodeArticleTaken, "the id belongs to an article of another author or moment")
	case errors.Is(err, record.ErrErased):
		return newProblem(CodeAuthorErased, "the author was erased since the article was published")
	default:
		return nil
	}
}
