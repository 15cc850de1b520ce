package importer

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"laurel/shared/archive"
	"laurel/shared/article"
	"laurel/shared/articles"
)

// Articles creates articles; articles.Store is one.
type Articles interface {
	Create(ctx context.Context, a article.Article) (now article.Article, created bool, err error)
}

// Final knows the articles that have left the store for the archive;
// archive.Articles is one.
type Final interface {
	Get(ctx context.Context, id string) (archive.FinalArticle, error)
}

// creations is how many articles are created at a time.
const creations = 64

// creator creates the articles of one input. It is for one goroutine.
type creator struct {
	store   Articles
	final   Final // nil when nobody knows
	summary *Summary

	first   bool           // the first reading created them; else they are as they are met
	refused map[int]string // what the first reading was told instead, by the line
	pending []creation
}

// creation is an article that a line wants.
type creation struct {
	line    int
	article article.Article
	created bool
	err     error
}

// createFirst reads the input for its articles alone, and returns its rows from
// the beginning. Faults are told by the second reading, also about the input
// itself; a strict import ends the first with the first of them.
func (im *Importer) createFirst(ctx context.Context, src *Source, in rows, judge *judge, c *creator) (rows, error) {
	c.first, c.refused = true, map[int]string{}
	src.passes.Store(2)
	for ctx.Err() == nil {
		r, err := in.next()
		if err != nil {
			break
		}
		v := judge.decide(r)
		if im.Strict && (v.fault != "" || len(c.refused) > 0) {
			break
		}
		if v.article == nil || v.fault != "" {
			continue
		}
		if err := c.add(ctx, creation{line: r.line.number, article: *v.article}); err != nil {
			return nil, err
		}
	}
	if err := c.flush(ctx); err != nil {
		return nil, err
	}
	if err := src.rewind(); err != nil {
		return nil, fmt.Errorf("read it again: %w", err)
	}
	return openRows(src, im.Columns)
}

// outcome returns why the article of a line is refused, "" when it is there.
func (c *creator) outcome(ctx context.Context, line int, a article.Article) (fault string, err error) {
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

// add takes an article in. Of two with the same id the first is created first.
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

// flush creates the articles that were taken in.
func (c *creator) flush(ctx context.Context) error {
	var wg sync.WaitGroup
	errs := make([]error, len(c.pending))
	for i := range c.pending {
		wg.Go(func() { errs[i] = c.create(ctx, &c.pending[i]) })
	}
	wg.Wait()
	for i, one := range c.pending {
		if errs[i] != nil {
			continue
		}
		if fault := c.count(one); fault != "" {
			c.refused[one.line] = fault
		}
	}
	c.pending = c.pending[:0]
	for _, err := range errs { // one is enough: they fail for the same reason
		if err != nil {
			return err
		}
	}
	return nil
}

// isFinal says whether an article is in the archive, and keeps what follows.
func (c *creator) isFinal(ctx context.Context, one *creation) (bool, error) {
	if c.final == nil {
		return false, nil
	}
	there, err := c.final.Get(ctx, one.article.ID)
	switch {
	case errors.Is(err, archive.ErrNoArticle):
		return false, nil
	case err != nil:
		return false, err
	case there.Deleted:
		one.err = articles.ErrDeleted
	case !there.Same(one.article):
		one.err = articles.ErrTaken
	}
	return true, nil
}

// create creates one article, if it is not in the archive, again while that fails for reasons that pass. A
// refusal is kept; the error is why nothing is known.
func (c *creator) create(ctx context.Context, one *creation) error {
	if final, err := c.isFinal(ctx, one); final || err != nil {
		return err
	}
	for try := 1; ; try++ {
		_, one.created, one.err = c.store.Create(ctx, one.article)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case one.err == nil, errors.Is(one.err, articles.ErrTaken), errors.Is(one.err, articles.ErrDeleted):
			return nil
		case !passes(one.err):
			return one.err
		case try == maxTries:
			return fmt.Errorf("tried %d times: %w", try, one.err)
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// count counts an article, or says why it was refused.
func (c *creator) count(one creation) (fault string) {
	switch {
	case errors.Is(one.err, articles.ErrDeleted):
		return "target: the article of this id was deleted"
	case one.err != nil:
		return "target: the id is that of an article of another author or moment"
	case one.created:
		c.summary.Created++
	default:
		c.summary.Known++
	}
	return ""
}
