package importer

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
)

// Articles creates articles; a Creator does, or what has one elsewhere do it. The error is
// that of a store that does not know; it has done some then.
type Articles interface {
	Create(ctx context.Context, all []article.Article) ([]Creation, error)
}

// A Creation is what came of creating an article.
type Creation struct {
	Known     bool   `json:"known"` // what came of it
	Created   bool   `json:"created,omitempty"`
	Violation string `json:"violation,omitempty"` // why it was refused
}

// A Creator creates articles, unless they are in the archive.
type Creator struct {
	Live  LiveArticles
	Final Final // nil: none
}

// LiveArticles creates one article; articles.Store does.
type LiveArticles interface {
	Create(ctx context.Context, a article.Article) (now article.Article, created bool, err error)
}

// Final reads the articles in the archive; archive.Articles is one.
type Final interface {
	Get(ctx context.Context, id string) (archive.FinalArticle, error)
}

// creations is how many articles are created at a time.
const creations = 64

// creator creates the articles of one input. It is for one goroutine.
type creator struct {
	store   Articles
	summary *Summary

	first   bool           // the first reading created them; else read creates each
	refused map[int]string // violations that the first reading found, by the line
	lines   []int          // of the pending ones
	pending []article.Article
}

// The violations of an article that is refused.
const (
	deleted = "target: the article of this id was deleted"
	taken   = "target: the id is that of an article of another author or moment"
	erased  = "target: the author was erased since the article was published"
)

// outcome returns why the article of a line is refused, "" when it exists.
func (c *creator) outcome(ctx context.Context, line int, a article.Article) (violation string, err error) {
	if c.store == nil {
		return "", nil
	}
	if c.first {
		return c.refused[line], nil
	}
	made, err := c.store.Create(ctx, []article.Article{a})
	if err != nil {
		return "", err
	}
	return c.count(made[0]), nil
}

// add adds the article of a line to the pending ones. Of two with the same id the first is
// created first.
func (c *creator) add(ctx context.Context, line int, a article.Article) error {
	same := func(other article.Article) bool { return other.ID == a.ID }
	if len(c.pending) == creations || slices.ContainsFunc(c.pending, same) {
		if err := c.flush(ctx); err != nil {
			return err
		}
	}
	c.lines, c.pending = append(c.lines, line), append(c.pending, a)
	return nil
}

// flush creates the pending articles.
func (c *creator) flush(ctx context.Context) error {
	if len(c.pending) == 0 {
		return nil
	}
	made, err := c.store.Create(ctx, c.pending)
	for i, one := range made {
		if !one.Known {
			continue
		}
		if violation := c.count(one); violation != "" {
			c.refused[c.lines[i]] = violation
		}
	}
	c.lines, c.pending = c.lines[:0], c.pending[:0]
	return err
}

// Create creates articles, all at a time.
func (c Creator) Create(ctx context.Context, all []article.Article) ([]Creation, error) {
	var creating errgroup.Group
	made := make([]Creation, len(all))
	for i, a := range all {
		creating.Go(func() (err error) {
			made[i], err = c.create(ctx, a)
			made[i].Known = err == nil
			return err
		})
	}
	return made, creating.Wait() // one error is enough: they fail for the same reason
}

// create creates one article, unless it is in the archive.
func (c Creator) create(ctx context.Context, a article.Article) (made Creation, err error) {
	if c.Final != nil {
		switch final, err := c.Final.Get(ctx, a.ID); {
		case errors.Is(err, archive.ErrNoArticle):
		case err != nil:
			return made, err
		case final.Deleted:
			return Creation{Violation: deleted}, nil
		case !final.Same(a):
			return Creation{Violation: taken}, nil
		default:
			return made, nil
		}
	}
	err = retry(ctx, func() (err error) {
		_, made.Created, err = c.Live.Create(ctx, a)
		return err
	})
	switch {
	case errors.Is(err, articles.ErrDeleted):
		return Creation{Violation: deleted}, nil
	case errors.Is(err, articles.ErrTaken):
		return Creation{Violation: taken}, nil
	case errors.Is(err, articles.ErrErased):
		return Creation{Violation: erased}, nil
	default:
		return made, err
	}
}

// count counts an article and returns why it was refused.
func (c *creator) count(one Creation) (violation string) {
	switch {
	case one.Violation != "":
		return one.Violation
	case one.Created:
		c.summary.Created++
	default:
		c.summary.Known++
	}
	return ""
}
