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

// Create publishes an article without faults, in one round trip. One that is
// there already, of the same author and moment, is returned as it is; else the
// error wraps ErrTaken, or ErrDeleted. Who creates has looked in the archive first:
// an article that is there has no page here.
func (s *Store) Create(ctx context.Context, a article.Article) (now article.Article, created bool, err error) {
	a = a.With(a.Title, a.Link, a.Groups)
	a.Votes = s.rules.OwnVotes()
	page := article.Page{Version: redisstore.NewVersion(), State: article.Voting, Article: a}
	c := &redisstore.Call{
		Script: s.scripts.create,
		Keys: append([]string{
			articlePages, articleVotes, articleVoting, authoredKey(a.Author), articleGroups, listKey(article.Hot, ""), listKey(article.New, ""),
		}, groupLists(a.Groups)...),
		Args: append([]any{
			a.ID, page.Encode(), number(a.Votes), a.Member(), number(int64(a.Published)), number(s.rules.HotScore(a)),
		}, anys(a.Groups)...),
	}
	s.redis.Run(ctx, c)
	reply, err := c.Cmd.Result()
	if err != nil {
		return article.Article{}, false, redisstore.Unavailable("create an article", err)
	}
	if reply == redisstore.Done {
		return a, true, nil
	}
	there, _ := reply.([]any)
	if len(there) != 2 {
		return article.Article{}, false, fmt.Errorf("%w: a creation's answer %v", redisstore.ErrStored, reply)
	}
	known, err := pageOf(a.ID, there[0], there[1])
	switch {
	case err != nil:
		return article.Article{}, false, err
	case known.Version == page.Version: // the reply to the first try was lost
		return a, true, nil
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
	err := s.change(ctx, a.ID, func(p article.Page) (*redisstore.Call, error) {
		switch {
		case p.State == article.Deleted:
			return nil, fmt.Errorf("%w: %q", ErrDeleted, a.ID)
		case p.Author != a.Author, a.Published != 0 && p.Published != a.Published:
			return nil, fmt.Errorf("%w: %q", ErrTaken, a.ID)
		case p.State == article.Left:
			return nil, fmt.Errorf("%w: %q", ErrLeft, a.ID)
		}
		was := p.Article
		p.Article = p.With(a.Title, a.Link, a.Groups)
		if now = p.Article; p.Title == was.Title && p.Link == was.Link && slices.Equal(p.Groups, was.Groups) {
			return nil, nil //nolint:nilnil // no call: it is so already
		}
		joins, leaves := article.Moves(was.Groups, p.Groups)
		moves := slices.Concat(joins, leaves)
		version := p.Version
		p.Version = redisstore.NewVersion()
		return &redisstore.Call{
			Script: s.scripts.put,
			Keys:   append([]string{articlePages, articleVotes, articleGroups}, groupLists(moves)...),
			Args: append([]any{
				p.ID, version, p.Encode(), p.Member(), number(int64(p.Published)), number(p.Seconds()), number(s.rules.VoteSeconds()), len(joins),
			}, anys(moves)...),
		}, nil
	})
	return now, err
}

// Delete takes an article off every list for good and returns its author and
// moment; its id is not given again. Doing it again answers the same.
func (s *Store) Delete(ctx context.Context, id string, now board.Moment) (article.Article, error) {
	var deleted article.Article
	err := s.change(ctx, id, func(p article.Page) (*redisstore.Call, error) {
		deleted = article.Article{ID: id, Author: p.Author, Published: p.Published}
		if p.State == article.Deleted {
			return nil, nil //nolint:nilnil // no call: there is nothing to do
		}
		return s.leaveCall(p, article.Page{State: article.Deleted, Article: deleted}, now), nil
	})
	return deleted, err
}

// leaveCall takes an article off its lists, and leaves another page of it.
func (s *Store) leaveCall(was, stays article.Page, now board.Moment) *redisstore.Call {
	var groups []string
	if was.Listed() {
		groups = was.Groups
	}
	stays.Version = redisstore.NewVersion()
	return &redisstore.Call{
		Script: s.scripts.leave,
		Keys: append([]string{
			articlePages, votersKey(was.ID), articleVoting, articleGone, articleGroups, listKey(article.Hot, ""), listKey(article.New, ""),
		}, groupLists(groups)...),
		Args: append([]any{was.ID, was.Version, stays.Encode(), was.Member(), number(int64(now))}, anys(groups)...),
	}
}

// change reads an article and changes it as decide says, again while others come
// between. Without a call there is nothing to change.
func (s *Store) change(ctx context.Context, id string, decide func(article.Page) (*redisstore.Call, error)) error {
	pipe := s.redis.Client().Pipeline()
	read, votes := pipe.HGet(ctx, articlePages, id), pipe.HGet(ctx, articleVotes, id)
	_, _ = pipe.Exec(ctx)
	if err := redisstore.FirstError(read, votes); err != nil {
		return redisstore.Unavailable("read an article", err)
	}
	page := read.Val()
	for range redisstore.MaxAttempts {
		p, err := pageOf(id, page, votes.Val())
		if err != nil {
			return err
		}
		c, err := decide(p)
		if err != nil || c == nil {
			return err
		}
		s.redis.Run(ctx, c)
		reply, err := c.Cmd.Result()
		if err != nil {
			return redisstore.Unavailable("change an article", err)
		}
		if reply == redisstore.Done {
			return nil
		}
		page, _ = reply.(string)
	}
	return fmt.Errorf("%w: article %q: %d attempts", redisstore.ErrBusy, id, redisstore.MaxAttempts)
}

// pageOf reads an article's page and its votes, as Redis answers them.
func pageOf(id string, page, votes any) (article.Page, error) {
	text, _ := page.(string)
	if text == "" {
		return article.Page{}, fmt.Errorf("%w: %q", ErrNoArticle, id)
	}
	p, err := article.DecodePage(id, text)
	if err != nil {
		return article.Page{}, fmt.Errorf("%w: %w", redisstore.ErrStored, err)
	}
	count, _ := votes.(string)
	if p.Votes, err = strconv.ParseInt(count, 10, 64); err != nil {
		return article.Page{}, fmt.Errorf("%w: %q votes of article %q", redisstore.ErrStored, count, id)
	}
	return p, nil
}
