package httpapi

import (
	"context"
	"errors"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/record"
)

// An ArticleList is a page of a list of articles.
type ArticleList struct {
	Sort     string    `json:"sort" enum:"hot,new" example:"hot"`
	Group    string    `json:"group,omitempty" example:"go" doc:"The group, when one was asked for"`
	Total    int64     `json:"total" example:"1" doc:"Length of the whole list"`
	Articles []Article `json:"articles" doc:"In the list's order; none past its end"`
	Next     *string   `json:"next" example:"/v1/articles?limit=25&offset=25"`
}

// Groups are the groups that have articles.
type Groups struct {
	Groups []Group `json:"groups" doc:"By name"`
	Total  int64   `json:"total" example:"1" doc:"How many groups there are"`
	Next   *string `json:"next" example:"/v1/groups?offset=1000" doc:"The path of the next page; null at the end"`
}

// A Group is a group of articles.
type Group struct {
	Name     string `json:"name" example:"go"`
	Articles int64  `json:"articles" minimum:"1" example:"12" doc:"How many are on its lists"`
}

// Votes are the articles that a user has voted for.
type Votes struct {
	Votes []string `json:"votes" example:"article-42" doc:"In the order asked for"`
}

type groupsInput struct {
	Limit  int64 `query:"limit" minimum:"1" maximum:"1000" default:"1000" doc:"How many groups"`
	Offset int64 `query:"offset" minimum:"0" maximum:"2147483648" default:"0" doc:"How many groups to skip"`
}

type articleListInput struct {
	Sort   string `query:"sort" enum:"hot,new" default:"hot" doc:"By score, or by the moment of publishing"`
	Group  string `query:"group" format:"group" example:"go" doc:"Only articles of this group"`
	Limit  int64  `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"How many articles"`
	Offset int64  `query:"offset" minimum:"0" maximum:"2147483648" default:"0" doc:"How many articles to skip"`
}

type votesInput struct {
	UserPath
	Article []string `query:"article,explode" required:"true" minItems:"1" maxItems:"100" uniqueItems:"true" format:"id"`
}

func (a *api) articleList(ctx context.Context, in *articleListInput) (ArticleList, error) {
	view := article.View{Sort: article.Sort(in.Sort), Group: in.Group, Offset: in.Offset, Limit: in.Limit}
	found, total, err := a.Articles.List(ctx, view)
	list := ArticleList{
		Sort: in.Sort, Group: in.Group, Total: total, Articles: make([]Article, len(found)),
		Next: next(ctx, in.Offset, in.Limit, total),
	}
	for i, of := range found {
		list.Articles[i] = a.articleOf(of)
	}
	return list, err
}

// article reads an article, one that has left the lists too, unless it is private.
func (a *api) article(ctx context.Context, in *ArticlePath) (Article, error) {
	found, err := a.Articles.Get(ctx, in.ID)
	if errors.Is(err, record.ErrDeleted) || err == nil && found.Private() {
		err = record.ErrNoArticle
	}
	return a.articleOf(found), err
}

func (a *api) groups(ctx context.Context, in *groupsInput) (Groups, error) {
	groups, err := a.Articles.Groups(ctx)
	total := int64(len(groups))
	groups = groups[min(in.Offset, total):min(in.Offset+in.Limit, total)]
	answer := Groups{Groups: make([]Group, len(groups)), Total: total, Next: next(ctx, in.Offset, in.Limit, total)}
	for i, g := range groups {
		answer.Groups[i] = Group{Name: g.Name, Articles: g.Articles}
	}
	return answer, err
}

func (a *api) votes(ctx context.Context, in *votesInput) (Votes, error) {
	articles := exchangeOf(ctx).URL.Query()["article"] // the framework takes an empty first one for none at all
	voted, err := a.Articles.Voted(ctx, in.User, articles, board.MomentOf(a.Now()))
	return Votes{Votes: append([]string{}, voted...)}, err
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
	Groups      []string `json:"groups" example:"go,news" doc:"Sorted"`
	Interesting bool     `json:"interesting" doc:"Whether it has at least the votes that the rules set"`
	VotingOpen  bool     `json:"votingOpen" doc:"Whether a like now counts as a vote"`

	Listed *bool `json:"listed,omitempty" default:"true"`
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
