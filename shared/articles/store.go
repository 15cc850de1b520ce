package articles

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
}

// New returns the articles in a store.
func New(store *redisstore.Store, rules article.Rules) *Store {
	return &Store{redis: store, rules: rules, scripts: newScripts()}
}

// Rules returns the constants that articles are ranked by.
func (s *Store) Rules() article.Rules { return s.rules }

// Create publishes an article without violations, in one round trip. One that is
// there already, of the same author and moment, is returned as it is; else the
// error wraps ErrTaken, or ErrDeleted. Who creates has looked in the archive first:
// an article that is there has no page here.
func (s *Store) Create(ctx context.Context, a article.Article) (now article.Article, created bool, err error) {
	a = a.With(a.Title, a.Link, a.Groups)
	a.Votes = s.rules.OwnVotes()
	page := article.Page{Version: redisstore.NewVersion(), State: article.Voting, Article: a}
	w := s.guardPage(a.ID, "", page)
	w.HSet(articleVotes, a.ID, a.Votes)
	w.HSet(articleWrote, a.ID, a.Author)
	w.SAdd(authoredKey(a.Author), a.ID)
	w.ZAdd(articleVoting, int64(a.Published), a.ID)
	s.enter(w, a, "")
	for _, group := range a.Groups {
		s.enter(w, a, group)
	}
	s.redis.Apply(ctx, w)
	done, there, err := w.Done("create an article")
	if err != nil {
		return article.Article{}, false, err
	}
	if done {
		return a, true, nil
	}
	known, err := s.pageOf(a.ID, there)
	switch {
	case err != nil:
		return article.Article{}, false, err
	case known.State == article.Deleted:
		return article.Article{}, false, fmt.Errorf("%w: %q", ErrDeleted, a.ID)
	case !known.Same(a):
		return article.Article{}, false, fmt.Errorf("%w: %q", ErrTaken, a.ID)
	}
	return known.Article, false, nil
}

// Put gives an article another title, link and groups, and returns it. Its author
// must be the same and so its moment, unless that is 0; else the error wraps
// ErrTaken. It takes two round trips, and one more for each change that came
// between.
func (s *Store) Put(ctx context.Context, a article.Article) (article.Article, error) {
	var now article.Article
	err := s.change(ctx, a.ID, func(p article.Page) (*redisstore.Write, error) {
		switch {
		case p.State == article.Deleted:
			return nil, fmt.Errorf("%w: %q", ErrDeleted, a.ID)
		case p.Author != a.Author, a.Published != 0 && p.Published != a.Published:
			return nil, fmt.Errorf("%w: %q", ErrTaken, a.ID)
		case p.State == article.Left:
			return nil, fmt.Errorf("%w: %q", ErrLeft, a.ID)
		}
		was, version := p.Article, p.Version
		p.Article = p.With(a.Title, a.Link, a.Groups)
		if now = p.Article; p.Title == was.Title && p.Link == was.Link && slices.Equal(p.Groups, was.Groups) {
			return nil, nil //nolint:nilnil // no write: it is so already
		}
		p.Version = redisstore.NewVersion()
		w := s.guardPage(p.ID, version, p)
		joins, leaves := article.Moves(was.Groups, p.Groups)
		if len(joins) > 0 { // the score it enters their lists with is of these votes
			w.GuardValue(articleVotes, p.ID, number(p.Votes))
		}
		for _, group := range joins {
			s.enter(w, p.Article, group)
		}
		for _, group := range leaves {
			leave(w, p.Article, group)
		}
		return w, nil
	})
	return now, err
}

// Delete takes an article off every list for good and returns its author and
// moment; its id is not given again. Doing it again answers the same.
func (s *Store) Delete(ctx context.Context, id string, now board.Moment) (article.Article, error) {
	var deleted article.Article
	err := s.change(ctx, id, func(p article.Page) (*redisstore.Write, error) {
		deleted = article.Article{ID: id, Author: p.Author, Published: p.Published}
		if p.State == article.Deleted {
			return nil, nil //nolint:nilnil // no write: there is nothing to do
		}
		return s.leaveWrite(p, article.Page{State: article.Deleted, Article: deleted}, now), nil
	})
	return deleted, err
}

// leaveWrite takes an article off its lists, and leaves another page of it.
func (s *Store) leaveWrite(was, stays article.Page, now board.Moment) *redisstore.Write {
	stays.Version = redisstore.NewVersion()
	w := s.guardPage(was.ID, was.Version, stays)
	w.Unlink(votersKey(was.ID))
	w.ZRem(articleVoting, was.ID)
	w.ZAdd(articleGone, int64(now), was.ID)
	if stays.State == article.Deleted { // which nobody is shown
		w.HDel(articleWrote, was.ID)
	}
	leave(w, was.Article, "")
	if was.Listed() {
		for _, group := range was.Groups {
			leave(w, was.Article, group)
		}
	}
	return w
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

// change reads an article and changes it as decide says, again while others come
// between. Without a write there is nothing to change.
func (s *Store) change(ctx context.Context, id string, decide func(article.Page) (*redisstore.Write, error)) error {
	pipe := s.redis.Client().Pipeline()
	page, votes := pipe.HMGet(ctx, articlePages, withMark([]string{id})...), pipe.HMGet(ctx, articleVotes, id)
	_, _ = pipe.Exec(ctx)
	if err := redisstore.FirstError(page, votes); err != nil {
		return redisstore.Unavailable("read an article", err)
	}
	read := []any{page.Val(), votes.Val()}
	for range redisstore.MaxAttempts {
		p, err := s.pageOf(id, read)
		if err != nil {
			return err
		}
		w, err := decide(p)
		if err != nil || w == nil {
			return err
		}
		s.redis.Apply(ctx, w)
		var done bool
		if done, read, err = w.Done("change an article"); err != nil || done {
			return err
		}
	}
	return fmt.Errorf("%w: article %q: %d attempts", redisstore.ErrBusy, id, redisstore.MaxAttempts)
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
