package httpapi

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
)

// A postedArticle is the answer to a publishing: 201 when the article is new, 200 when it was there.
type postedArticle struct {
	Article
	created bool
}

func (p postedArticle) status() int {
	if p.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// A deletedArticle is the answer to a deletion.
type deletedArticle struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

func (a *api) postArticle(ctx context.Context, _ *struct{}) (postedArticle, error) {
	now := board.MomentOf(a.Now())
	var body wire.NewArticle
	violations := decode(ctx, &body)
	sent := body.Article(rand.Text(), ledger.Arrival{Now: now}, violations)
	if p := refused(ctx, violations); p != nil {
		return postedArticle{}, p
	}
	found, created, err := a.Articles.Create(ctx, sent, now)
	if err == nil { // each time, for a request that failed here before; it counts once
		published := activity.Activity{Action: activity.Publish, At: found.Published}
		err = a.credit(ctx, found.Article, published, now)
	}
	return postedArticle{Article: a.articleOf(found), created: created}, err
}

func (a *api) putArticle(ctx context.Context, in *articlePath) (Article, error) {
	var body wire.ArticleDetails
	violations := decode(ctx, &body)
	now := board.MomentOf(a.Now())
	sent := body.Article(in.ID, ledger.Arrival{Now: now, AnyAge: true}, violations)
	if p := refused(ctx, violations); p != nil {
		return Article{}, p
	}
	edit := recording.Edit{Article: sent, AnyAuthor: body.Author == nil, Listed: body.Listed, Now: now}
	put, err := a.Articles.Edit(ctx, edit)
	if err == nil && body.Listed != nil { // each time, for a request that failed here before
		listed := activity.Activity{Action: activity.Publish, At: now, Restores: true}
		if !*body.Listed {
			listed = activity.Activity{Action: activity.Unpublish, At: max(now, put.Published)}
		}
		err = a.credit(ctx, put.Article, listed, now)
	}
	return a.articleOf(put), err
}

func (a *api) deleteArticle(ctx context.Context, in *articlePath) (deletedArticle, error) {
	now := board.MomentOf(a.Now())
	deleted, err := a.Articles.Delete(ctx, in.ID)
	if err == nil { // each time, for a request that failed here before
		gone := activity.Activity{Action: activity.Unpublish, At: max(now, deleted.Published)}
		err = a.credit(ctx, deleted, gone, now)
	}
	return deletedArticle{ID: in.ID, Deleted: true}, err
}

// credit records publish or unpublish for an article's author, if the rules of the
// day have the word and there is an author.
func (a *api) credit(ctx context.Context, subject article.Article, act activity.Activity, now board.Moment) error {
	act.User, act.Target = subject.Author, subject.ID
	rules := a.Ledger.Rules().On(a.Ledger.Calendar().Date(act.At))
	if subject.Author == "" || !slices.Contains(rules.Words(), act.Action) || len(rules.Violations(act)) > 0 {
		return nil
	}
	results, err := a.Recorder.Record(ctx, []activity.Activity{act}, recording.Arrival{Now: now})
	if err != nil {
		return err
	}
	return results[0].Err
}
