package nightly

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
	"laurel/shared/board"
)

const (
	// keepArticles is how many articles of a list stay on it, however old they are.
	keepArticles = 10_000
	// articlesAtOnce is how many articles are written to the archive at a time.
	articlesAtOnce = 16
	// forgetAfter is how long Redis still tells that the id of an article that has
	// left is taken; see articles.Store.Forget.
	forgetAfter = 86_400_000 // ms
)

// errTime is that a step was stopped as the time is over; the next run goes on.
var errTime = errors.New("nightly: the time is over")

// LiveArticles are the articles in Redis; a articles.Store has them.
type LiveArticles interface {
	Rules() article.Rules
	Settle(ctx context.Context, now board.Moment) (settled int64, err error)
	Leave(ctx context.Context, keep int64, now board.Moment) (left int64, err error)
	Gone(ctx context.Context) ([]articles.Gone, error)
	Forget(ctx context.Context, g articles.Gone) (bool, error)
}

// FinalArticles are those in the archive; an archive.Articles has them.
type FinalArticles interface {
	Put(ctx context.Context, a archive.FinalArticle) (was bool, err error)
}

// Articles counts what a run did with articles.
type Articles struct {
	Settled   int64 `json:"settled"`   // whose votes are final now, and voters dropped
	Left      int64 `json:"left"`      // that are on no list any more
	Archived  int64 `json:"archived"`  // written to the archive, deleted ones as such
	Forgotten int64 `json:"forgotten"` // that are in the archive alone now
}

// articles takes articles along their way: votes become final, what is out of the
// first of all its lists leaves them, what has left is written to the archive, and
// what was there already, read back and the same, leaves Redis for good.
func (r *run) articles(ctx context.Context) {
	if r.Articles == nil || r.FinalArticles == nil {
		return
	}
	keep := r.KeepArticles
	if keep == 0 {
		keep = keepArticles
	}
	done := &r.result.Articles
	r.step(ctx, "articles to settle", 0, func() (err error) {
		done.Settled, err = r.Articles.Settle(ctx, r.Now)
		return err
	})
	r.step(ctx, "articles to leave", 0, func() (err error) {
		done.Left, err = r.Articles.Leave(ctx, keep, r.Now)
		return err
	})
	r.step(ctx, "articles to archive", 0, func() error { return r.archiveArticles(ctx) })
	r.Log.InfoContext(ctx, "articles", "settled", done.Settled, "left", done.Left, "archived", done.Archived, "forgotten", done.Forgotten)
}

// archiveArticles writes what has left the lists, some at a time. One that fails
// does not keep the others.
func (r *run) archiveArticles(ctx context.Context) error {
	gone, err := r.Articles.Gone(ctx)
	if err != nil {
		return err
	}
	var (
		mu    sync.Mutex
		errs  []error
		all   sync.WaitGroup
		free  = make(chan struct{}, articlesAtOnce)
		short bool
	)
	for _, g := range gone {
		free <- struct{}{}
		if short = ctx.Err() != nil || !r.clock.fits(0); short {
			break
		}
		all.Go(func() {
			defer func() { <-free }()
			archived, forgotten, err := r.archiveArticle(ctx, g)
			mu.Lock()
			defer mu.Unlock()
			if archived {
				r.result.Articles.Archived++
			}
			if forgotten {
				r.result.Articles.Forgotten++
			}
			if err != nil {
				errs = append(errs, fmt.Errorf("article %q: %w", g.ID, err))
			}
		})
	}
	all.Wait()
	if short && len(errs) == 0 {
		return errTime
	}
	return errors.Join(errs...)
}

// archiveArticle writes an article, or makes sure that it is written and forgets it
// where it was.
func (r *run) archiveArticle(ctx context.Context, g articles.Gone) (archived, forgotten bool, err error) {
	final := archive.FinalArticle{Article: g.Article, Score: r.Articles.Rules().Score(g.Article), Deleted: g.State == article.Deleted}
	was, err := r.FinalArticles.Put(ctx, final)
	if err != nil || !was || r.Now-g.Since < forgetAfter {
		return err == nil && !was, false, err
	}
	forgotten, err = r.Articles.Forget(ctx, g)
	return false, forgotten, err
}
