package recording

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

var (
	// ErrNoArticle is wrapped if there is no article of the id.
	ErrNoArticle = errors.New("recording: no such article")
	// ErrDeleted is wrapped if the article of the id was deleted.
	ErrDeleted = errors.New("recording: the article is deleted")
	// ErrTaken is wrapped if an article of another author or moment has the id.
	ErrTaken = errors.New("recording: the id is another article's")
	// ErrAuthorErased is wrapped if the author of an article was erased since it was published.
	ErrAuthorErased = errors.New("recording: the author was erased")
)

// Articles are the articles of a forum. Their items are the truth; the view has their lists.
// A change writes the item first, then shows it; a show that fails leaves the view behind and
// nothing else. It is safe for concurrent use.
type Articles struct {
	items     *items.Store
	view      view.View
	projector *projection.Projector
	ledger    *ledger.Ledger
	real      func() time.Time
}

// NewArticles returns the articles of a forum.
func NewArticles(o Options) *Articles {
	return &Articles{items: o.Items, view: o.View, projector: o.Projector, ledger: o.Ledger, real: o.Real}
}

// Rules returns the constants that articles are ranked by.
func (s *Articles) Rules() article.Rules { return article.Rules(s.ledger.Rules().Articles()) }

// A Listed is an article with its author's public name.
type Listed struct {
	article.Page
	By profile.Public
}

// Create publishes an article without violations, of a moment or, if it has none, now; one that is unlisted is on no
// list from the beginning, and may be private. One that is there already, of the same author and moment, is returned as
// it is, unless it was private and is listed now; one without a moment has any. Else the error wraps ErrTaken,
// ErrDeleted or ErrAuthorErased.
func (s *Articles) Create(ctx context.Context, a article.Article, now board.Moment) (Listed, bool, error) {
	authors, err := s.items.Resolve(ctx, a.Author)
	if err != nil {
		return Listed{}, false, err
	}
	a.Author = authors[0]
	c := s.creation(a, now)
	s.change(ctx, c)
	if c.err != nil {
		return Listed{}, false, c.err
	}
	return s.showChanged(ctx, c), c.was == 0, nil
}

// A Created is the outcome of creating an article: its title is public from now on, it existed, or Err has the reason
// against it.
type Created struct {
	New bool
	Err error
}

// Import creates articles whose ids differ, and shows none: the importer fills the view at the end.
func (s *Articles) Import(ctx context.Context, all []article.Article) []Created {
	changes, made := make([]*articleChange, len(all)), make([]Created, len(all))
	authors := make([]string, len(all))
	for i, a := range all {
		authors[i] = a.Author
	}
	authors, err := s.items.Resolve(ctx, authors...)
	for i, a := range all {
		if made[i].Err = err; err == nil {
			a.Author = authors[i]
		}
		changes[i] = s.creation(a, a.Published)
	}
	if err != nil {
		return made
	}
	s.change(ctx, changes...)
	for i, c := range changes {
		made[i] = Created{New: c.err == nil && c.revision != c.was, Err: c.err}
	}
	return made
}

func (s *Articles) creation(a article.Article, now board.Moment) *articleChange {
	moment := a.Published
	a.Published = cmp.Or(moment, now)
	a = a.With(a.Title, a.Link, a.Groups)
	return &articleChange{id: a.ID, author: a.Author, creates: true, decide: func(c *articleChange) (article.Page, error) {
		page := c.page
		switch {
		case c.was == 0 && c.by.Value != nil && c.by.Value.Erased >= a.Published:
			return page, fmt.Errorf("%w: article %q", ErrAuthorErased, a.ID)
		case c.was == 0:
			return article.Page{State: article.Voting, Article: a}, nil
		case page.State == article.Deleted:
			return page, fmt.Errorf("%w: %q", ErrDeleted, a.ID)
		case !s.sameAuthor(page.Author, a.Author), moment != 0 && page.Published != moment:
			return page, fmt.Errorf("%w: %q", ErrTaken, a.ID)
		case page.Private() && !page.Removed && !a.Unlisted:
			page.Article, page.Unlisted = page.With(a.Title, a.Link, a.Groups), false
		}
		return page, nil
	}}
}

// sameAuthor says whether two ids are of one author, as far as the process knows merges.
func (s *Articles) sameAuthor(a, b string) bool {
	return a == b || a != "" && b != "" && s.items.StandIn(a) == s.items.StandIn(b)
}

// An Edit is an article with another title, link and groups, by its id.
type Edit struct {
	article.Article
	AnyAuthor bool  // else the author must be the same, and so the moment, unless that is 0
	Listed    *bool // whether it should be on lists; nil leaves it as it is
	Removed   bool  // it is unlisted because the forum deleted it
	Edited    bool  // Listed comes from an edit: it lifts no deletion
	Private   bool  // only members may read it: it loses its title, link and groups, and leaves the lists

	// Changed is the time of the change, Now if it is 0. A change before the last known one does nothing.
	Changed, Now board.Moment
}

// Edit changes an article and returns it. One that was trimmed comes back onto its lists.
// The error wraps ErrNoArticle, ErrDeleted, or ErrTaken for another author or moment.
func (s *Articles) Edit(ctx context.Context, e Edit) (Listed, error) {
	c := &articleChange{id: e.ID, decide: func(c *articleChange) (article.Page, error) {
		switch p := c.page; {
		case p.State == article.Deleted:
			return p, fmt.Errorf("%w: %q", ErrDeleted, e.ID)
		case !e.AnyAuthor && !s.sameAuthor(p.Author, e.Author), e.Published != 0 && p.Published != e.Published:
			return p, fmt.Errorf("%w: %q", ErrTaken, e.ID)
		default:
			return e.apply(p), nil
		}
	}}
	s.change(ctx, c)
	if c.err != nil {
		return Listed{}, c.err
	}
	return s.showChanged(ctx, c), nil
}

// apply returns the page as it is after the change.
func (e Edit) apply(p article.Page) article.Page {
	if e.Changed != 0 && e.Changed < p.Changed {
		return p
	}
	was := p.Encode()
	if p.Article = p.With(e.Title, e.Link, e.Groups); e.Private {
		p.Article = p.With("", "", nil)
	}
	if e.Listed != nil && (!e.Edited || !p.Removed) {
		p.Unlisted, p.Removed = !*e.Listed, !*e.Listed && e.Removed
	}
	p.Unlisted = p.Unlisted || p.Title == ""
	if e.Changed == 0 && p.Encode() == was {
		return p
	}
	p.Changed = max(p.Changed, cmp.Or(e.Changed, e.Now))
	if p.State == article.Left {
		p.State = article.VotesFinal
	}
	return p
}

// Conceal makes the articles private that a function chooses, and returns their number. Their points stay.
func (s *Articles) Conceal(ctx context.Context, private func(article.Page) bool) (int64, error) {
	var ids []string
	for row, err := range s.items.AllArticles(ctx) {
		if err != nil {
			return 0, err
		}
		if row.Err == nil && row.Value.Title != "" && private(*row.Value) {
			ids = append(ids, row.ID)
		}
	}
	return s.changeEach(ctx, ids, func(p *article.Page) bool {
		if private(*p) {
			*p = Edit{Private: true}.apply(*p)
		}
		return p.Private()
	})
}

// Delete takes an article off every list for good and returns its author and moment; its id
// is not given again. Doing it again answers the same. The error wraps ErrNoArticle.
func (s *Articles) Delete(ctx context.Context, id string) (article.Article, error) {
	c := &articleChange{id: id, decide: func(c *articleChange) (article.Page, error) {
		p := c.page
		p.State, p.Unlisted, p.Removed = article.Deleted, false, false
		p.Article = article.Article{ID: id, Author: p.Author, Published: p.Published}
		return p, nil
	}}
	s.change(ctx, c)
	if c.err != nil {
		return article.Article{}, c.err
	}
	_ = s.show(ctx, c) // the view is behind
	return c.page.Article, nil
}

// Renew shows the articles of an author again, after an exclusion or its end, and notes in the person's item that this
// is done, unless the item has changed meanwhile. It reads all articles. The view is behind if the author's articles
// cannot be found, or shown.
func (s *Articles) Renew(ctx context.Context, author string) error {
	if s.view == nil {
		return nil
	}
	c := &articleChange{author: author}
	err := s.read(ctx, c)
	if err == nil {
		err = s.showAllOf(ctx, c.head, author)
	}
	if err != nil {
		s.projector.Behind(ctx, fmt.Sprintf("an author's articles are not shown: %v", err))
		return err
	}
	if c.by.Value == nil || !c.by.Value.Relists {
		return nil
	}
	next := c.by.Value.Copy()
	next.Relists = false
	written := s.items.Write(ctx, items.NextPerson(c.head.KeyOf(author), c.by, &next))[0]
	if written.Err == nil { // else a comparison does all of it once more
		err = s.projector.ShowUsers(ctx, []string{author})
	}
	return err
}

// showAllOf shows the articles of an author.
func (s *Articles) showAllOf(ctx context.Context, head *items.Head, author string) error {
	var unshown error
	for row, err := range s.items.AllArticles(ctx) {
		if err != nil {
			return err
		}
		if row.Err == nil && row.Value.Author == author {
			c := &articleChange{id: row.ID, head: head, page: *row.Value, revision: row.Revision}
			unshown = errors.Join(unshown, s.show(ctx, c))
		}
	}
	return unshown
}

// Forget takes an erased author off articles that were published up to a moment, and returns the number of these
// articles. It first reports that the view is behind: if the process ends between the write and the show of an article,
// only a comparison shows it.
func (s *Articles) Forget(ctx context.Context, author string, until board.Moment, ids ...string) (int64, error) {
	s.projector.Behind(ctx, "an author is erased")
	return s.changeEach(ctx, ids, func(p *article.Page) bool {
		if p.Author == author && p.Published <= until {
			p.Author = ""
		}
		return p.Author == ""
	})
}

// Reassign makes a person the author of another one's articles, and returns the number of these. Like Forget it first
// reports that the view is behind.
func (s *Articles) Reassign(ctx context.Context, old, into string, ids ...string) (int64, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	s.projector.Behind(ctx, "an author is merged into another person")
	return s.changeEach(ctx, ids, func(p *article.Page) bool {
		if p.Author == old {
			p.Author = into
		}
		return p.Author == into
	})
}
