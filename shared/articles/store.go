package articles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

var (
	// ErrNoArticle is wrapped when Redis has no article of the id. The archive may.
	ErrNoArticle = errors.New("articles: no such article")
	// ErrDeleted is wrapped when the article of the id was deleted.
	ErrDeleted = errors.New("articles: article is deleted")
	// ErrTaken is wrapped when the id is that of an article of another author or
	// moment.
	ErrTaken = errors.New("articles: the id is another article's")
	// ErrLeft is wrapped when an article can't be changed any more, as it is on its
	// way to the archive.
	ErrLeft = errors.New("articles: article is going to the archive")
)

// A Store is the articles of a forum that are in Redis, with their lists and votes.
// Ballots records votes. It is safe for concurrent use.
type Store struct {
	redis   *redisstore.Store
	rules   article.Rules
	scripts scripts
	kept    Kept // nil: articles are in Redis alone
}

// New returns the articles in a store.
func New(store *redisstore.Store, rules article.Rules) *Store {
	return &Store{redis: store, rules: rules, scripts: newScripts()}
}

// Rules returns the constants that articles are ranked by.
func (s *Store) Rules() article.Rules { return s.rules }

// Create publishes an article without violations, in one round trip to Redis. One that
// is there already, of the same author and moment, is returned as it is; else the
// error wraps ErrTaken, ErrDeleted, or ErrErased. Who creates has looked in the archive first:
// an article that is there has no page here.
func (s *Store) Create(ctx context.Context, a article.Article) (now article.Article, created bool, err error) {
	a = a.With(a.Title, a.Link, a.Groups)
	a.Votes = s.rules.OwnVotes()
	page, err := s.keepFirst(ctx, article.Page{Version: redisstore.NewVersion(), State: article.Voting, Article: a})
	if err == nil {
		err = unlessSame(page, a)
	}
	if err != nil || page.State != article.Voting {
		return page.Article, false, err
	}
	for tombstone := stored(""); ; {
		w := s.creation(page, tombstone)
		s.redis.Apply(ctx, w)
		done, there, err := w.Done("create an article")
		if err != nil || done {
			return page.Article, done, err
		}
		was := tombstone
		if tombstone, err = s.erasedBefore(ctx, a, there); err != nil {
			return page.Article, false, err
		}
		if tombstone != was {
			continue
		}
		known, err := s.pageOf(a.ID, there[:2])
		if err == nil {
			err = errors.Join(s.keepKnown(ctx, page.Version, known), unlessSame(known, a))
		}
		return known.Article, false, err
	}
}

// creation is the write that creates an article, if the tombstone of its author is as it
// was read.
func (s *Store) creation(page article.Page, tombstone stored) *redisstore.Write {
	a := page.Article
	w := s.guardPage(a.ID, "", page)
	w.GuardValue(articleErased, tombstoneOf(a.Author), string(tombstone))
	w.ReadFields(articleErased, tombstoneOf(a.Author))
	w.HSet(articleVotes, a.ID, page.Votes)
	w.HSet(articleWrote, a.ID, a.Author)
	w.SAdd(authoredKey(a.Author), a.ID)
	w.ZAdd(articleVoting, int64(a.Published), a.ID)
	s.enterAll(w, page)
	return w
}

// unlessSame returns an error unless a page is that of an article as it was created.
func unlessSame(p article.Page, a article.Article) error {
	switch {
	case p.State == article.Deleted:
		return fmt.Errorf("%w: %q", ErrDeleted, a.ID)
	case !p.Same(a):
		return fmt.Errorf("%w: %q", ErrTaken, a.ID)
	}
	return nil
}

// An Edit is an article with another title, link and groups, by its id.
type Edit struct {
	article.Article
	AnyAuthor bool  // else the author must be the same, and so the moment, unless that is 0
	Listed    *bool // whether it is to be on lists; nil leaves it as it is

	// When it became so, 0 if nobody says: then it is as of Now. What became so before what
	// is known changes nothing.
	Changed, Now board.Moment
}

// Edit changes an article and returns it. The error wraps ErrTaken for another author or
// moment. It takes two round trips, and one more for each change that came between.
func (s *Store) Edit(ctx context.Context, a Edit) (article.Article, error) {
	now, _, err := s.change(ctx, a.ID, 0, func(p article.Page) (article.Page, error) {
		switch {
		case p.State == article.Deleted:
			return p, fmt.Errorf("%w: %q", ErrDeleted, a.ID)
		case !a.AnyAuthor && p.Author != a.Author, a.Published != 0 && p.Published != a.Published:
			return p, fmt.Errorf("%w: %q", ErrTaken, a.ID)
		case p.State == article.Left:
			return p, fmt.Errorf("%w: %q", ErrLeft, a.ID)
		}
		return a.apply(p), nil
	})
	return now.Article, err
}

// apply returns the page as it is after the change.
func (a Edit) apply(p article.Page) article.Page {
	if a.Changed != 0 && a.Changed < p.Changed {
		return p
	}
	was := p.Encode()
	p.Article = p.With(a.Title, a.Link, a.Groups)
	if a.Listed != nil {
		p.Unlisted = !*a.Listed
	}
	if a.Changed != 0 || p.Encode() != was {
		p.Changed = max(p.Changed, cmp.Or(a.Changed, a.Now))
	}
	return p
}

// Delete takes an article off every list for good and returns its author and
// moment; its id is not given again. Doing it again answers the same.
func (s *Store) Delete(ctx context.Context, id string, now board.Moment) (article.Article, error) {
	deleted, _, err := s.change(ctx, id, now, func(p article.Page) (article.Page, error) {
		p.State = article.Deleted
		p.Article = article.Article{ID: id, Author: p.Author, Published: p.Published}
		return p, nil
	})
	return deleted.Article, err
}

// guardPage is a write that sets an article's page if it has the version that was
// read, "" for none; else it answers with the page and the votes that are there.
func (s *Store) guardPage(id, version string, next article.Page) *redisstore.Write {
	w := &redisstore.Write{}
	w.GuardVersion(articlePages, id, version, next.Version)
	s.redis.GuardMark(w)
	w.ReadFields(articlePages, withMark([]string{id})...)
	w.ReadFields(articleVotes, id)
	w.HSet(articlePages, id, next.Encode())
	return w
}

// enterAll puts an article onto all lists that it belongs to.
func (s *Store) enterAll(w *redisstore.Write, p article.Page) {
	if !p.Listed() {
		return
	}
	s.enter(w, p.Article, "")
	for _, group := range p.Groups {
		s.enter(w, p.Article, group)
	}
}

// enter puts an article onto the lists of a group, which counts it, or of all
// articles.
func (s *Store) enter(w *redisstore.Write, a article.Article, group string) {
	w.ZAdd(listKey(article.Hot, group), s.rules.HotScore(a), a.Member())
	w.ZAdd(listKey(article.New, group), -int64(a.Published), a.Member())
	if group != "" {
		w.HIncrBy(articleGroups, group, 1)
	}
}

// leave takes an article off the lists that enter puts it on.
func leave(w *redisstore.Write, a article.Article, group string) {
	w.ZRem(listKey(article.Hot, group), a.Member())
	w.ZRem(listKey(article.New, group), a.Member())
	if group != "" {
		w.HIncrBy(articleGroups, group, -1)
	}
}

// pageOf reads an article's page and its votes: the answer of HMGET to the mark and its
// id, and to its id.
func (s *Store) pageOf(id string, read []any) (article.Page, error) {
	var values []any
	for _, answer := range read {
		part, _ := answer.([]any)
		values = append(values, part...)
	}
	if len(values) != 3 {
		return article.Page{}, redisstore.Unreadable(fmt.Sprintf("an article's answer %v", read))
	}
	values, err := s.cutMark(values)
	if err != nil {
		return article.Page{}, err
	}
	page, _ := values[0].(string)
	votes, _ := values[1].(string)
	return parsePage(id, page, votes)
}

// withMark are the fields of the articles' pages that hold the mark of the stamp and
// those with these ids.
func withMark(ids []string) []string { return append([]string{redisstore.ArticleMarkField}, ids...) }

// cutMark checks the mark of the stamp, the first of what was read, and returns the
// rest.
func (s *Store) cutMark(read []any) ([]any, error) {
	mark, _ := read[0].(string)
	return read[1:], s.redis.CheckMark(mark)
}

// parsePage reads an article's page and its votes.
func parsePage(id, page, votes string) (article.Page, error) {
	if page == "" {
		return article.Page{}, fmt.Errorf("%w: %q", ErrNoArticle, id)
	}
	p, err := article.DecodePage(id, page)
	if err != nil {
		return article.Page{}, fmt.Errorf("%w: %w", redisstore.ErrStored, err)
	}
	if p.Votes, err = strconv.ParseInt(votes, 10, 64); err != nil {
		return article.Page{}, fmt.Errorf("%w: %q votes of article %q", redisstore.ErrStored, votes, id)
	}
	return p, nil
}
