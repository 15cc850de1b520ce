package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/request"
)

// A PostedArticle is the answer to a publishing: 201 when the article is new, 200
// when it was there.
type PostedArticle struct {
	Article
	created bool
}

func (p PostedArticle) status() int {
	if p.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// A DeletedArticle is the answer to a deletion.
type DeletedArticle struct {
	ID      string `json:"id" example:"article-42"`
	Deleted bool   `json:"deleted" example:"true"`
}

func (a *api) registerArticles() {
	example := request.ArticleText{
		Title: "Go 1.26 is released", Link: "https://go.dev/blog/go1.26", Groups: []string{"go", "news"},
		PublishedAt: "2026-11-20T12:00:00Z",
	}
	register(a, operation{
		id: "post-article", method: http.MethodPost, path: "/v1/articles", tag: "articles",
		summary: "Publish an article",
		detail: "Also records publish for the author. With an id it may be repeated: the article of this id, if it has " +
			"the same author and moment, is returned as it is (200). Without an id each request creates an article.",
		access: forService, body: request.NewArticle{},
		errors: append([]int{http.StatusConflict}, bodyErrors...),
		more: func(op *huma.Operation) {
			there := op.Responses[strconv.Itoa(http.StatusOK)]
			created := &huma.Response{Description: "The article is created", Content: there.Content}
			op.Responses[strconv.Itoa(http.StatusCreated)] = created
			there.Description = "The article exists"
			op.RequestBody.Content["application/json"].Example = request.NewArticle{
				ID: "article-42", ArticleText: example, Author: request.UserRef{ID: "ann"},
			}
		},
	}, a.postArticle)
	register(a, operation{
		id: "put-article", method: http.MethodPut, path: "/v1/articles/{id}", tag: "articles",
		summary: "Replace an article's title, link and groups",
		detail: "It takes what is read of an article. Author and publishedAt may be left out; others than the article's " +
			"are 409. With listed false it leaves all lists and keeps its votes, and unpublish is recorded; true takes " +
			"that back. Votes that are final stay as they are, whatever is changed; an article that has left the lists by age " +
			"is on them again until the next night.",
		access: forService, body: request.ArticleDetails{},
		errors: append([]int{http.StatusNotFound, http.StatusConflict}, bodyErrors...),
		more: func(op *huma.Operation) {
			details := request.ArticleDetails{ArticleText: example, Author: &request.Author{ID: "ann"}}
			op.RequestBody.Content["application/json"].Example = details
		},
	}, a.putArticle)
	register(a, operation{
		id: "delete-article", method: http.MethodDelete, path: "/v1/articles/{id}", tag: "articles",
		summary: "Delete an article",
		detail:  "Also records unpublish for the author. It may be repeated. The id cannot be used again.",
		access:  forService, errors: []int{http.StatusNotFound, http.StatusServiceUnavailable},
	}, a.deleteArticle)
}

func (a *api) postArticle(ctx context.Context, _ *struct{}) (PostedArticle, error) {
	now := board.MomentOf(a.Now())
	var body request.NewArticle
	violations := decode(ctx, &body)
	sent := body.Article(rand.Text(), ledger.Arrival{Now: now}, violations)
	if p := refused(ctx, violations); p != nil {
		return PostedArticle{}, p
	}
	found, created, err := a.Articles.Create(ctx, sent, now)
	if err != nil {
		return PostedArticle{}, err
	}
	// Each time, for a request that failed here before; it counts once.
	published := activity.Activity{Action: activity.Publish, At: found.Published}
	if err := a.credit(ctx, found.Article, published, now); err != nil {
		return PostedArticle{}, err
	}
	return PostedArticle{Article: a.articleOf(found), created: created}, nil
}

func (a *api) putArticle(ctx context.Context, in *ArticlePath) (Article, error) {
	var body request.ArticleDetails
	violations := decode(ctx, &body)
	now := board.MomentOf(a.Now())
	sent, anyone := body.Article(in.ID, ledger.Arrival{Now: now, AnyAge: true}, violations)
	if p := refused(ctx, violations); p != nil {
		return Article{}, p
	}
	put, err := a.Articles.Edit(ctx, record.Edit{Article: sent, AnyAuthor: anyone, Listed: body.Listed, Now: now})
	if err == nil && body.Listed != nil { // each time, for a request that failed here before
		listed := activity.Activity{Action: activity.Publish, At: now, Restores: true}
		if !*body.Listed {
			listed = activity.Activity{Action: activity.Unpublish, At: max(now, put.Published)}
		}
		err = a.credit(ctx, put.Article, listed, now)
	}
	if err != nil {
		return Article{}, err
	}
	return a.articleOf(put), nil
}

func (a *api) deleteArticle(ctx context.Context, in *ArticlePath) (DeletedArticle, error) {
	now := board.MomentOf(a.Now())
	deleted, err := a.Articles.Delete(ctx, in.ID)
	if err == nil { // each time, for a request that failed here before
		gone := activity.Activity{Action: activity.Unpublish, At: max(now, deleted.Published)}
		err = a.credit(ctx, deleted, gone, now)
	}
	if err != nil {
		return DeletedArticle{}, err
	}
	return DeletedArticle{ID: in.ID, Deleted: true}, nil
}

// credit records publish or unpublish for an article's author, if the rules of the
// day have the word and there is an author.
func (a *api) credit(ctx context.Context, of article.Article, act activity.Activity, now board.Moment) error {
	act.User, act.Target = of.Author, of.ID
	rules := a.Ledger.Rules().On(a.Ledger.Calendar().Date(act.At))
	if of.Author == "" || !slices.Contains(rules.Words(), act.Action) || len(rules.Violations(act)) > 0 {
		return nil
	}
	results, err := a.Recorder.Record(ctx, []activity.Activity{act}, record.Arrival{Now: now})
	if err != nil {
		return err
	}
	return results[0].Err
}
