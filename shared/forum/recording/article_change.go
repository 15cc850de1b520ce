package recording

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/article"
	"laurel/shared/core/profile"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// An articleChange is a change of one article's item. decide makes the next page from the one that
// was read; if it returns an error or the same page, nothing is written.
type articleChange struct {
	id, author string // the person to read, "" for the author that the article then has
	creates    bool   // else there must be such an article
	decide     func(*articleChange) (article.Page, error)

	head     *items.Head
	page     article.Page // as it was read, then as it is
	was      int64        // the revision that was read, 0 if there was no such article
	revision int64        // of the item now
	by       items.Row[*items.Person]
	err      error
}

const (
	changesAtOnce   = 16  // articles that are changed side by side
	changedTogether = 100 // articles that are changed before they are shown
)

// change changes articles whose ids differ, each by itself, again while others come between.
func (s *Articles) change(ctx context.Context, all ...*articleChange) {
	var group errgroup.Group
	group.SetLimit(changesAtOnce)
	for _, c := range all {
		group.Go(func() error {
			c.err = items.Again(ctx, func() error { return s.changeOnce(ctx, c) })
			return nil
		})
	}
	_ = group.Wait() // each has its error
}

// changeEach changes articles, some at a time, shows those that are then as they should be, and returns their number.
// change reports whether the page that it has changed is as it should be.
func (s *Articles) changeEach(ctx context.Context, all []string, change func(*article.Page) bool) (n int64, err error) {
	for ids := range slices.Chunk(all, changedTogether) {
		changes, done := make([]*articleChange, len(ids)), make([]bool, len(ids))
		for i, id := range ids {
			changes[i] = &articleChange{id: id, decide: func(c *articleChange) (article.Page, error) {
				p := c.page
				done[i] = change(&p)
				return p, nil
			}}
		}
		s.change(ctx, changes...)
		for i, c := range changes {
			if err = errors.Join(err, c.err); c.err == nil && done[i] {
				_ = s.show(ctx, c) // the view is behind
				n++
			}
		}
		if err != nil {
			break
		}
	}
	return n, err
}

// changeOnce reads an article, decides and writes it.
func (s *Articles) changeOnce(ctx context.Context, c *articleChange) error {
	began := s.real()
	if err := s.read(ctx, c); err != nil {
		return err
	}
	if c.was == 0 && !c.creates {
		return fmt.Errorf("%w: %q", ErrNoArticle, c.id)
	}
	next, err := c.decide(c)
	if err != nil || next.Encode() == c.page.Encode() {
		return err
	}
	if s.real().Sub(began) > WriteWithin {
		return table.ErrConflict // it is read again
	}
	if !c.head.Articles {
		if c.head, err = s.items.ChangeHead(ctx, func(h *items.Head) error { h.Articles = true; return nil }); err != nil {
			return err
		}
	}
	written := s.items.Write(ctx, items.Change{Was: c.was, Article: &next})[0]
	if written.Err == nil {
		c.page, c.revision = next, written.Revision
	}
	return written.Err
}

// read reads the article of a change, if it has one, and the person that it needs.
func (s *Articles) read(ctx context.Context, c *articleChange) error {
	head, err := s.items.Known(ctx)
	if err != nil {
		return err
	}
	q, author := items.Query{}, head.KeyOf(c.author)
	if c.id != "" {
		q.Articles = []string{c.id}
	}
	if c.author != "" {
		q.People = []items.Key{author}
	}
	found, err := s.items.Read(ctx, q)
	if err != nil {
		return err
	}
	row := found.Articles[c.id]
	c.head, c.page, c.was, c.by = found.Head, article.Page{}, row.Revision, found.People[author]
	if row.Revision != 0 {
		c.page, c.revision = *row.Value, row.Revision
	}
	return errors.Join(row.Err, c.by.Err)
}

// show shows an article as it was written, or as it is by now if the view has seen more. A view that cannot show it is
// behind; the error says why.
func (s *Articles) show(ctx context.Context, c *articleChange) error {
	if s.view == nil {
		return nil
	}
	for range projection.MaxShows {
		if c.err = s.readAuthor(ctx, c); c.err != nil {
			break
		}
		showed, err := s.view.ShowAll(ctx, view.Showing{
			Table: c.head.Table, Life: c.head.Life.Number(),
			Articles: []view.ArticleUnit{ArticleUnit(c.head, c.page, c.revision, c.by)},
		})
		if err == nil && showed.Articles[0] == view.ShowApplied {
			return nil
		}
		if c.err = err; err != nil || showed.Articles[0] != view.ShowStale {
			break
		}
		c = &articleChange{id: c.id, author: c.author}
		if c.err = s.read(ctx, c); c.err != nil {
			break
		}
	}
	cause := cmp.Or(c.err, errors.New("others came first"))
	s.projector.Behind(ctx, fmt.Sprintf("an article could not be shown: %v", cause))
	return cause
}

// readAuthor reads the person who wrote the article, unless that was read along.
func (s *Articles) readAuthor(ctx context.Context, c *articleChange) error {
	author := c.page.Author
	if author == "" || author == c.author {
		return nil
	}
	key := c.head.KeyOf(author)
	found, err := s.items.Read(ctx, items.Query{People: []items.Key{key}})
	if err != nil {
		return err
	}
	c.head, c.by, c.author = found.Head, found.People[key], author
	return c.by.Err
}

// ArticleUnit returns the view unit of an article, from its item and its author's.
func ArticleUnit(
	head *items.Head, p article.Page, revision int64, author items.Row[*items.Person],
) view.ArticleUnit {
	u := view.ArticleUnit{Page: p, Revision: revision, Withheld: Writes(p, author) && author.Value.Status.Withheld()}
	if p.Author != "" {
		u.By = head.KeyOf(p.Author)
	}
	return u
}

// Writes reports whether a person is the author of an article, and was not erased since.
func Writes(p article.Page, author items.Row[*items.Person]) bool {
	by := author.Value
	return by != nil && p.Author != "" && p.Author == by.ID && by.Erased < p.Published
}

// authorOf returns the name of an article's author, if it is known and the author was not erased since.
func (s *Articles) authorOf(p article.Page, author items.Row[*items.Person]) (public profile.Public) {
	if Writes(p, author) {
		public = author.Value.Public(s.ledger.Guests())
	}
	return public
}
