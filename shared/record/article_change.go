package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/article"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/view"
)

// An articleChange is a change of one article's item. decide makes the next page of what was
// read; where it returns an error or the page as it was, nothing is written.
type articleChange struct {
	id, author string // the author whose person decide needs, "" for nobody
	decide     func(*articleChange) (article.Page, error)

	head     *records.Head
	page     article.Page // as it was read, then as it is
	was      int64        // the revision that was read, 0 if there was no such article
	revision int64        // of the item now
	by       records.Row[*records.Person]
	err      error
}

// row returns the article's item as it is.
func (c *articleChange) row() records.Row[*records.Article] {
	return records.Row[*records.Article]{Value: &records.Article{Page: c.page}, Revision: c.revision}
}

// change changes articles whose ids differ, each by itself, again while others come between.
// It takes one read and one write for all.
func (s *Articles) change(ctx context.Context, all ...*articleChange) {
	pending := all
	for attempt := 0; len(pending) > 0; attempt++ {
		began, err := s.r.real(), error(nil)
		if attempt > 0 {
			err = records.BackOff(ctx, attempt)
		}
		if err == nil {
			err = s.readArticles(ctx, pending)
		}
		if err != nil {
			for _, c := range pending {
				c.err = err
			}
			return
		}
		pending = s.writeArticles(ctx, pending, began)
	}
}

// readArticles reads the articles of changes, and the people that these need.
func (s *Articles) readArticles(ctx context.Context, all []*articleChange) error {
	head, err := s.r.records.Known(ctx)
	if err != nil {
		return err
	}
	var q records.Query
	for _, c := range all {
		q.Articles = append(q.Articles, c.id)
		if c.author != "" {
			q.People = append(q.People, head.KeyOf(c.author))
		}
	}
	found, err := s.r.records.Read(ctx, q)
	if err != nil {
		return err
	}
	for _, c := range all {
		c.head, c.page, c.was, c.err = found.Head, article.Page{}, 0, found.DamagedArticles[c.id]
		if row := found.Articles[c.id]; row.Revision != 0 {
			c.page, c.was, c.revision = row.Value.Page, row.Revision, row.Revision
		}
		if c.author != "" {
			key := head.KeyOf(c.author)
			c.by = found.People[key]
			c.err = errors.Join(c.err, found.DamagedPeople[key])
		}
	}
	return nil
}

// writeArticles decides changes and writes them, and returns those that others came before.
func (s *Articles) writeArticles(ctx context.Context, all []*articleChange, began time.Time) (again []*articleChange) {
	var writes []records.Change
	var written []*articleChange
	for _, c := range all {
		if c.err != nil {
			continue
		}
		next, err := c.decide(c)
		if c.err = err; err != nil || c.was != 0 && next.EncodeKept() == c.page.EncodeKept() {
			continue
		}
		c.page = next
		writes = append(writes, records.Change{Was: c.was, Article: &records.Article{Page: next}})
		written = append(written, c)
	}
	if s.r.real().Sub(began) > writeWithin {
		return written
	}
	for i, w := range s.r.records.Write(ctx, writes...) {
		switch c := written[i]; {
		case w.Err == nil:
			c.revision = w.Revision
		case errors.Is(w.Err, table.ErrConflict):
			again = append(again, c)
		default:
			c.err = w.Err
		}
	}
	return again
}

// show shows an article as it was written, or as it is by now if the view has seen more. A
// view that cannot show it is behind.
func (s *Articles) show(ctx context.Context, c *articleChange) {
	if s.r.view == nil {
		return
	}
	for range maxShows {
		if !c.page.Gone() { // else the view is told no name
			c.err = s.readAuthor(ctx, c)
		}
		if c.err != nil {
			break
		}
		results, err := s.r.view.ShowArticles(ctx, c.head.Life.Number(), articleUnit(c.row(), c.by))
		if err == nil && results[0] == view.ShowApplied {
			return
		}
		if c.err = err; err != nil || results[0] != view.ShowStale {
			break
		}
		c = &articleChange{id: c.id, author: c.author}
		if c.err = errors.Join(s.readArticles(ctx, []*articleChange{c}), c.err); c.err != nil {
			break
		}
	}
	s.r.Behind(ctx, fmt.Sprintf("an article could not be shown: %v", cmp.Or(c.err, errors.New("others came first"))))
}

// readAuthor reads the person who wrote the article, unless that was read along.
func (s *Articles) readAuthor(ctx context.Context, c *articleChange) error {
	author := c.page.Author
	if author == "" || author == c.author {
		return nil
	}
	key := c.head.KeyOf(author)
	found, err := s.r.records.Read(ctx, records.Query{People: []records.Key{key}})
	if err != nil {
		return err
	}
	c.head, c.by, c.author = found.Head, found.People[key], author
	return found.DamagedPeople[key]
}

// articleUnit returns what an article's item and its author's say for the view.
func articleUnit(of records.Row[*records.Article], author records.Row[*records.Person]) view.ArticleUnit {
	u := view.ArticleUnit{Page: of.Value.Page, Revision: of.Revision, AuthorRev: author.Revision}
	u.AuthorName = authorOf(u.Page, author).Text()
	return u
}

// authorOf returns the name of an article's author, if it is known and the author was not
// erased since.
func authorOf(p article.Page, author records.Row[*records.Person]) (public records.Public) {
	if by := author.Value; by != nil && p.Author != "" && p.Author == by.ID && by.Erased < p.Published {
		public = by.Public()
	}
	return public
}
