package httpapi

import (
	"context"
	"errors"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/people"
	"laurel/shared/problems"
)

// FinalArticles have the articles that have left Redis; an archive.Articles is one.
type FinalArticles interface {
	// Get reads an article, or the tombstone of a deleted one; the error wraps
	// archive.ErrNoArticle.
	Get(ctx context.Context, id string) (archive.FinalArticle, error)
	// Delete leaves the tombstone of an article that is there.
	Delete(ctx context.Context, id string) error
}

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

// A PublicArticle is an article as anybody reads it.
type PublicArticle Article

func (PublicArticle) cacheControl() string { return cacheLive }

// ArticlePath names an article.
type ArticlePath struct {
	ID string `path:"id" format:"id" example:"article-42" doc:"An article's id"`
}

// articleOf makes an article's answer; voting says that its voters are kept.
func (a *api) articleOf(of article.Article, voting bool, author people.Profile) Article {
	rules := a.Store.Articles().Rules()
	now := board.MomentOf(a.Now())
	var listed *bool
	if of.Unlisted {
		listed = new(false)
	}
	return Article{
		ID: of.ID, Title: of.Title, Link: of.Link, Author: userOf(of.Author, author),
		PublishedAt: of.Published.Time().In(a.Ledger.Calendar().Zone()).Format("2006-01-02T15:04:05.000Z07:00"),
		Votes:       of.Votes, Score: rules.Score(of), Groups: append([]string{}, of.Groups...),
		Interesting: rules.IsInteresting(of), VotingOpen: voting && rules.Open(of, now), Listed: listed,
	}
}

// finalOf makes the answer of an article that is in the archive. Its score is the
// one that it had, whatever the rules are today.
func (a *api) finalOf(ctx context.Context, of archive.FinalArticle) Article {
	var author people.Profile
	if of.Author != "" { // of whom lists may show nothing, and so keep no copy
		author = a.names(ctx, []string{of.Author}, boards.Copies{})[of.Author]
	}
	answer := a.articleOf(of.Article, false, author)
	answer.Score = of.Score
	return answer
}

// articlesOf makes the answers of articles that are in Redis.
func (a *api) articlesOf(ctx context.Context, found ...articles.Listed) []Article {
	authors := a.authors(ctx, found...)
	all := make([]Article, len(found))
	for i, l := range found {
		all[i] = a.articleOf(l.Article, l.State == article.Voting, authors[l.Author])
	}
	return all
}

// authors returns who wrote articles, by the copies that came with them as far as
// these go.
func (a *api) authors(ctx context.Context, found ...articles.Listed) map[string]people.Profile {
	if a.People == nil {
		return nil
	}
	copies := map[string]string{}
	for _, l := range found {
		if l.Author != "" {
			copies[l.Author] = l.Profile
		}
	}
	if len(copies) == 0 {
		return nil
	}
	return a.People.Authors(ctx, copies)
}

// finalArticle reads what the archive has of an article.
func (a *api) finalArticle(ctx context.Context, id string) (of archive.FinalArticle, ok bool, err error) {
	if a.FinalArticles == nil {
		return archive.FinalArticle{}, false, nil
	}
	of, err = a.FinalArticles.Get(ctx, id)
	if errors.Is(err, archive.ErrNoArticle) {
		return archive.FinalArticle{}, false, nil
	}
	return of, err == nil, err
}

// articleProblem is the problem of an error about one article, nil for others.
func articleProblem(err error) *Problem {
	switch {
	case errors.Is(err, articles.ErrNoArticle), errors.Is(err, archive.ErrNoArticle):
		return newProblem(problems.UnknownArticle, "no such article")
	case errors.Is(err, articles.ErrDeleted):
		return newProblem(problems.ArticleDeleted, "the article was deleted; its id cannot be used again")
	case errors.Is(err, articles.ErrTaken):
		return newProblem(problems.ArticleTaken, "the id belongs to an article of another author or moment")
	case errors.Is(err, articles.ErrErased):
		return newProblem(problems.AuthorErased, "the author was erased since the article was published")
	case errors.Is(err, articles.ErrLeft):
		return newProblem(problems.ArticleFinal, "the article is final and cannot be changed")
	default:
		return nil
	}
}
