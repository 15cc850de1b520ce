package nightly

import (
	"cmp"
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
	// keepArticles is the number of articles that stay on each list at any age.
	keepArticles = 10_000
	// articlesAtOnce is the number of articles that are archived concurrently.
	articlesAtOnce = 16
	// forgetAfter is for how long Redis keeps the id of an article that left the lists;
	// see articles.Store.Forget.
	forgetAfter = 86_400_000 // ms
)

// errTime is the error of a step that stopped at the run's deadline; the next run
// continues it.
var errTime = errors.New("nightly: out of time")

// LiveArticles are the articles in Redis; articles.Store is one.
type LiveArticles interface {
	Rules() article.Rules
	DropVoters(ctx context.Context, now board.Moment) (dropped int64, err error)
	Leave(ctx context.Context, keep int64, now board.Moment) (left int64, err error)
	Gone(ctx context.Context) ([]articles.Gone, error)
	Forget(ctx context.Context, g articles.Gone) (bool, error)
}

// FinalArticles are the articles in the archive; archive.Articles is one.
type FinalArticles interface {
	Put(ctx context.Context, a archive.FinalArticle) (was bool, err error)
}

// Articles counts the steps of a run on articles.
type Articles struct {
	VotersDropped int64 `json:"settled"`   // votes are final now, voters dropped
	Left          int64 `json:"left"`      // removed from all lists
	Archived      int64 `json:"archived"`  // written to the archive, deleted ones too
	Forgotten     int64 `json:"forgotten"` // removed from Redis
}

func (a *Articles) add(more Articles) {
	a.VotersDropped += more.VotersDropped
	a.Left += more.Left
	a.Archived += more.Archived
	a.Forgotten += more.Forgotten
}

// articles moves articles through their states: votes become final; an article below
// the first KeepArticles of all its lists leaves them and is written to the archive; one
// that the archive has already, read back and equal, is removed from Redis. While an
// import is in progress nothing of this is done: its likes are votes.
func (r *run) articles(ctx context.Context) {
	if r.Articles == nil || r.FinalArticles == nil || len(r.result.Imports) > 0 {
		return
	}
	keep := r.KeepArticles
	if keep == 0 {
		keep = keepArticles
	}
	done := &r.result.Articles
	step := func(name string, do func() error) {
		r.step(ctx, name, 0, func() error {
			marks, err := r.marks(ctx)
			if err != nil || len(marks) > 0 {
				return cmp.Or(err, errImported)
			}
			return do()
		})
	}
	step("voters to drop", func() (err error) {
		done.VotersDropped, err = r.Articles.DropVoters(ctx, r.Now)
		return err
	})
	step("articles to leave", func() (err error) {
		done.Left, err = r.Articles.Leave(ctx, keep, r.Now)
		return err
	})
	step("articles to archive", func() error { return r.archiveArticles(ctx) })
	r.Log.InfoContext(ctx, "articles", "voters_dropped", done.VotersDropped, "left", done.Left, "archived", done.Archived,
		"forgotten",
		done.Forgotten)
}

// archiveArticles archives the articles that left the lists. An error with one does not
// stop the others.
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

// archiveArticle writes an article to the archive, or removes it from Redis if the
// archive has it.
func (r *run) archiveArticle(ctx context.Context, g articles.Gone) (archived, forgotten bool, err error) {
	final := archive.FinalArticle{
		Article: g.Article, Score: r.Articles.Rules().Score(g.Article),
		Deleted: g.State == article.Deleted,
	}
	was, err := r.FinalArticles.Put(ctx, final)
	if err != nil || !was || r.Now-g.Since < forgetAfter {
		return err == nil && !was, false, err
	}
	forgotten, err = r.Articles.Forget(ctx, g)
	return false, forgotten, err
}
