package httpapi

import (
	"context"
	"errors"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/profile"
	"laurel/shared/forum/recording"
)

// An ArticleList is a page of a list of articles.
type ArticleList struct {
	Sort     string    `json:"sort"`
	Group    string    `json:"group,omitempty"`
	Total    int64     `json:"total"`
	Articles []Article `json:"articles"`
	Next     *string   `json:"next"`
}

// articleGroups are the groups that have articles.
type articleGroups struct {
	Groups []article.Group `json:"groups"`
	Total  int64           `json:"total"`
	Next   *string         `json:"next"`
}

// userVotes are the articles that a user has voted for.
type userVotes struct {
	Votes []string `json:"votes"`
}

type groupsInput struct {
	Limit  int64 `query:"limit" minimum:"1" maximum:"1000" default:"1000"`
	Offset int64 `query:"offset" minimum:"0" maximum:"2147483648" default:"0"`
}

type articleListInput struct {
	Sort   string `query:"sort" enum:"hot,new" default:"hot"`
	Group  string `query:"group" format:"group"`
	Limit  int64  `query:"limit" minimum:"1" maximum:"100" default:"25"`
	Offset int64  `query:"offset" minimum:"0" maximum:"2147483648" default:"0"`
}

type votesInput struct {
	userPath
	Article []string `query:"article,explode" required:"true" maxItems:"100" uniqueItems:"true" format:"id"`
}

func (a *api) articleList(ctx context.Context, in *articleListInput) (ArticleList, error) {
	view := article.View{Sort: article.Sort(in.Sort), Group: in.Group, Offset: in.Offset, Limit: in.Limit}
	found, total, err := a.Articles.List(ctx, view)
	list := ArticleList{
		Sort: in.Sort, Group: in.Group, Total: total, Articles: make([]Article, len(found)),
		Next: next(ctx, in.Offset, in.Limit, total),
	}
	for i, one := range found {
		list.Articles[i] = a.articleOf(one)
	}
	return list, err
}

// article reads an article, one that has left the lists too, unless it is private.
func (a *api) article(ctx context.Context, in *articlePath) (Article, error) {
	found, err := a.Articles.Get(ctx, in.ID)
	if errors.Is(err, recording.ErrDeleted) || err == nil && found.Private() {
		err = recording.ErrNoArticle
	}
	return a.articleOf(found), err
}

func (a *api) groups(ctx context.Context, in *groupsInput) (articleGroups, error) {
	groups, err := a.Articles.Groups(ctx)
	total := int64(len(groups))
	groups = groups[min(in.Offset, total):min(in.Offset+in.Limit, total)]
	return articleGroups{
		Groups: append([]article.Group{}, groups...), Total: total, Next: next(ctx, in.Offset, in.Limit, total),
	}, err
}

func (a *api) votes(ctx context.Context, in *votesInput) (userVotes, error) {
	voted, err := a.Articles.Voted(ctx, in.User, in.Article, board.MomentOf(a.Now()))
	return userVotes{Votes: append([]string{}, voted...)}, err
}

// An Article is an article as it is read.
type Article struct {
	ID          string       `json:"id"`
	Title       string       `json:"title"`
	Link        string       `json:"link,omitempty"`
	Author      profile.User `json:"author"`
	PublishedAt string       `json:"publishedAt"`
	Votes       int64        `json:"votes"`
	Score       int64        `json:"score"`
	Groups      []string     `json:"groups"`
	Interesting bool         `json:"interesting"`
	VotingOpen  bool         `json:"votingOpen"`

	Listed *bool `json:"listed,omitempty"`
}

// articlePath names an article.
type articlePath struct {
	ID string `path:"id" format:"id"`
}

// articleOf makes an article's answer.
func (a *api) articleOf(listing recording.Listed) Article {
	rules := a.Articles.Rules()
	now := board.MomentOf(a.Now())
	var listed *bool
	if listing.Unlisted {
		listed = new(false)
	}
	return Article{
		ID: listing.ID, Title: listing.Title, Link: listing.Link, Author: userOf(listing.Author, listing.By),
		PublishedAt: a.moment(listing.Published), Votes: listing.Votes, Score: rules.Score(listing.Article),
		Groups:      append([]string{}, listing.Groups...),
		Interesting: rules.IsInteresting(listing.Article), Listed: listed,
		VotingOpen: listing.State == article.Voting && rules.Open(listing.Article, now),
	}
}
