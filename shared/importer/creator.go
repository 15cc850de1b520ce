package importer

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/article"
	"laurel/shared/record"
)

// Articles creates articles whose ids differ; Creating does, or what has that done elsewhere.
// The error is that of a store that does not know; it has done some then.
type Articles interface {
	Create(ctx context.Context, all []article.Article) ([]Creation, error)
}

// A Creation is what came of creating an article.
type Creation struct {
	Known     bool   `json:"known"` // what came of it
	Created   bool   `json:"created,omitempty"`
	Violation string `json:"violation,omitempty"` // why it was refused
}

// creations is how many articles are created at a time.
const creations = 500

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

// Creating creates articles where they are kept.
type Creating struct{ *record.Articles }

// Create creates articles.
func (c Creating) Create(ctx context.Context, all []article.Article) ([]Creation, error) {
	made := make([]Creation, len(all))
	err := retry(ctx, func() (failed error) {
		for i, one := range c.Import(ctx, all) {
			if made[i].Known { // by an earlier try
				continue
			}
			made[i] = Creation{Known: true, Created: one.New}
			switch {
			case errors.Is(one.Err, record.ErrDeleted):
				made[i].Violation = deleted
			case errors.Is(one.Err, record.ErrTaken):
				made[i].Violation = taken
			case errors.Is(one.Err, record.ErrErased):
				made[i].Violation = erased
			case one.Err != nil:
				made[i], failed = Creation{}, one.Err // one is enough: they fail for the same reason
			}
		}
		return failed
	})
	return made, err
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
