package importer

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
)

// Articles creates articles; articles.Store is one.
type Articles interface {
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
	final   Final // nil: none
	summary *Summary

	first   bool           // the first reading created them; else read creates each
	refused map[int]string // violations that the first reading found, by the line
	pending []creation
}

// creation is an article that a line publishes, and what came of it.
type creation struct {
	line      int
	article   article.Article
	created   bool
	violation string // why it was refused
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
	one := creation{line: line, article: a}
	if err := c.create(ctx, &one); err != nil {
		return "", err
	}
	return c.count(one), nil
}

// add adds an article to the pending ones. Of two with the same id the first is created
// first.
func (c *creator) add(ctx context.Context, one creation) error {
	full := len(c.pending) == creations
	for _, other := range c.pending {
		full = full || other.article.ID == one.article.ID
	}
	if full {
		if err := c.flush(ctx); err != nil {
			return err
		}
	}
	c.pending = append(c.pending, one)
	return nil
}

// flush creates the pending articles.
func (c *creator) flush(ctx context.Context) error {
	var creating errgroup.Group
	done := make([]bool, len(c.pending))
	for i := range c.pending {
		creating.Go(func() error {
			err := c.create(ctx, &c.pending[i])
			done[i] = err == nil
			return err
		})
	}
	err := creating.Wait() // one error is enough: they fail for the same reason
	for i, one := range c.pending {
		if !done[i] {
			continue
		}
		if violation := c.count(one); violation != "" {
			c.refused[one.line] = violation
		}
	}
	c.pending = c.pending[:0]
	return err
}

// create creates one article, unless it is in the archive, and keeps a refusal. The
// error is that of a store that does not know.
func (c *creator) create(ctx context.Context, one *creation) error {
	if c.final != nil {
		switch final, err := c.final.Get(ctx, one.article.ID); {
		case errors.Is(err, archive.ErrNoArticle):
		case err != nil:
			return err
		case final.Deleted:
			one.violation = deleted
			return nil
		case !final.Same(one.article):
			one.violation = taken
			return nil
		default:
			return nil
		}
	}
	err := retry(ctx, func() (err error) {
		_, one.created, err = c.store.Create(ctx, one.article)
		return err
	})
	switch {
	case errors.Is(err, articles.ErrDeleted):
		one.violation = deleted
	case errors.Is(err, articles.ErrTaken):
		one.violation = taken
	case errors.Is(err, articles.ErrErased):
		one.violation = erased
	default:
		return err
	}
	return nil
}

// count counts an article and returns why it was refused.
func (c *creator) count(one creation) (violation string) {
	switch {
	case one.violation != "":
		return one.violation
	case one.created:
		c.summary.Created++
	default:
		c.summary.Known++
	}
	return ""
}
