package httpapi

import (
	"context"
	"errors"
	"net/http"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/record"
)

// An ArticleList is a page of a list of articles.
type ArticleList struct {
	Sort     string    `json:"sort" enum:"hot,new" example:"hot"`
	Group    string    `json:"group,omitempty" example:"go" doc:"The group, when one was asked for"`
	Total    int64     `json:"total" example:"1" doc:"Length of the whole list"`
	Articles []Article `json:"articles" nullable:"false" doc:"In the list's order; none past its end"`
	Next     *string   `json:"next" example:"/v1/articles?limit=25&offset=25" doc:"The path of the next page; null at the end"`
}

// Groups are the groups that have articles.
type Groups struct {
	Groups []Group `json:"groups" nullable:"false" doc:"By name"`
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
	Votes []string `json:"votes" nullable:"false" example:"[\"article-42\"]" doc:"In the order asked for"`
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
	Article []string `query:"article,explode" required:"true" minItems:"1" maxItems:"100" uniqueItems:"true" nullable:"false" format:"id" example:"[\"article-42\"]" doc:"The articles on a page, 1 to 100, each once"`
}

func (a *api) registerArticleLists() {
	register(a, operation{
		id: "read-articles", method: http.MethodGet, path: "/v1/articles", tag: "articles",
		summary: "List articles",
		detail:  "hot: by score, highest first; new: by time of publishing, newest first. Ties: newest first, then by id.",
		access:  forAll, cache: cacheLive, errors: []int{http.StatusServiceUnavailable},
	}, a.articleList)
	register(a, operation{
		id: "read-article", method: http.MethodGet, path: "/v1/articles/{id}", tag: "articles",
		summary: "Read an article",
		detail:  "An article that has left the lists can still be read; its votes and score are final.",
		access:  forAll, cache: cacheLive, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.article)
	register(a, operation{
		id: "read-groups", method: http.MethodGet, path: "/v1/groups", tag: "articles",
		summary: "List groups",
		access:  forAll, cache: cacheLive, errors: []int{http.StatusServiceUnavailable},
	}, a.groups)
	register(a, operation{
		id: "read-votes", method: http.MethodGet, path: "/v1/users/{user}/votes", tag: "users",
		summary: "List which articles the user has voted for",
		detail:  "Only articles whose voting is open. The author's own vote is included.",
		access:  forUser, errors: []int{http.StatusServiceUnavailable},
	}, a.votes)
}

func (a *api) articleList(ctx context.Context, in *articleListInput) (ArticleList, error) {
	view := article.View{Sort: article.Sort(in.Sort), Group: in.Group, Offset: in.Offset, Limit: in.Limit}
	found, total, err := a.Articles.List(ctx, view)
	if err != nil {
		return ArticleList{}, err
	}
	list := ArticleList{Sort: in.Sort, Group: in.Group, Total: total, Articles: make([]Article, len(found))}
	for i, of := range found {
		list.Articles[i] = a.articleOf(of)
	}
	list.Next = next(ctx, in.Offset, in.Limit, total)
	return list, nil
}

// article reads an article, one that has left the lists too.
func (a *api) article(ctx context.Context, in *ArticlePath) (Article, error) {
	found, err := a.Articles.Get(ctx, in.ID)
	if errors.Is(err, record.ErrDeleted) {
		err = record.ErrNoArticle
	}
	if err != nil {
		return Article{}, err
	}
	return a.articleOf(found), nil
}

func (a *api) groups(ctx context.Context, in *groupsInput) (Groups, error) {
	groups, err := a.Articles.Groups(ctx)
	if err != nil {
		return Groups{}, err
	}
	total := int64(len(groups))
	groups = groups[min(in.Offset, total):min(in.Offset+in.Limit, total)]
	answer := Groups{Groups: make([]Group, len(groups)), Total: total, Next: next(ctx, in.Offset, in.Limit, total)}
	for i, g := range groups {
		answer.Groups[i] = Group{Name: g.Name, Articles: g.Articles}
	}
	return answer, nil
}

func (a *api) votes(ctx context.Context, in *votesInput) (Votes, error) {
	articles := exchangeOf(ctx).URL.Query()["article"] // the framework takes an empty first one for none at all
	voted, err := a.Articles.Voted(ctx, in.User, articles, board.MomentOf(a.Now()))
	if err != nil {
		return Votes{}, err
	}
	return Votes{Votes: append([]string{}, voted...)}, nil
}
