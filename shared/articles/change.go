package articles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// Kept keeps articles outside Redis, as article.Page encodes them. ChangeArticle replaces
// what is kept of one by what change makes of it, and may call change more than once;
// known is false if nothing is kept. RemoveArticle removes it.
type Kept interface {
	ChangeArticle(ctx context.Context, id string, change func(kept string, known bool) (string, error)) error
	RemoveArticle(ctx context.Context, id string) error
}

// keptAtOnce is how many articles are written to Kept concurrently.
const keptAtOnce = 16

// KeepArticles has every change of an article written to kept first, but for votes: they
// are kept when they are final. It is called before the store is used.
func (s *Store) KeepArticles(kept Kept) { s.kept = kept }

// change changes an article as decide says, which gets the page and returns the next one,
// again while others come between, and returns the page that is there then; wrote is false if
// it was there before.
//
// Each attempt reads the page in Redis, changes the page that is kept, and commits what is
// kept then if the version in Redis is what was read. So whoever commits last has read
// what is kept after the commits of all others, and Redis ends with what is kept; what a
// process left undone between the two, the next change does.
func (s *Store) change(ctx context.Context, id string, now board.Moment,
	decide func(article.Page) (article.Page, error),
) (next article.Page, wrote bool, err error) {
	ctx = redisstore.WhenFull(ctx)
	pipe := s.redis.Client().Pipeline()
	page, votes := pipe.HMGet(ctx, articlePages, withMark([]string{id})...), pipe.HMGet(ctx, articleVotes, id)
	_, _ = pipe.Exec(ctx)
	if err := redisstore.FirstError(page, votes); err != nil {
		return next, false, redisstore.Unavailable("read an article", err)
	}
	read := []any{page.Val(), votes.Val()}
	for attempts := range redisstore.MaxAttempts {
		p, err := s.pageOf(id, read)
		if errors.Is(err, ErrNoArticle) && attempts > 0 && s.kept != nil {
			err = errors.Join(err, s.kept.RemoveArticle(ctx, id)) // it was forgotten meanwhile
		}
		if err == nil {
			next, err = s.keep(ctx, p, decide)
		}
		if err != nil || next.Version == p.Version {
			return next, false, err
		}
		w := s.move(p, next, now)
		s.redis.Apply(ctx, w)
		var done bool
		if done, read, err = w.Done("change an article"); err != nil || done {
			return next, done, err
		}
	}
	return next, false, fmt.Errorf("%w: article %q: %d attempts", redisstore.ErrBusy, id, redisstore.MaxAttempts)
}

// keep changes the page that is kept, or the one in Redis if none is, and returns it: with
// the version of that page if decide changes nothing, else with a new one. Votes are those
// in Redis.
func (s *Store) keep(ctx context.Context, inRedis article.Page,
	decide func(article.Page) (article.Page, error),
) (next article.Page, err error) {
	changed := func(kept string, known bool) (string, error) {
		p := inRedis
		if known {
			if p, err = article.DecodeKept(inRedis.ID, kept); err != nil {
				return "", fmt.Errorf("%w: %w", redisstore.ErrStored, err)
			}
		}
		was := p.EncodeKept()
		p.Votes = inRedis.Votes // what is kept may be of before the last vote
		if next, err = decide(p); err != nil {
			return "", err
		}
		if next.EncodeKept() != was {
			next.Version = redisstore.NewVersion()
		}
		return next.EncodeKept(), nil
	}
	if s.kept == nil {
		_, err = changed("", false)
		return next, err
	}
	err = s.kept.ChangeArticle(ctx, inRedis.ID, changed)
	return next, err
}

// move is the write that makes one page of another, guarded by the version of the first.
// An article that goes off the lists for good is gone from now on.
func (s *Store) move(was, next article.Page, now board.Moment) *redisstore.Write {
	w := s.guardPage(was.ID, was.Version, next)
	joins, leaves := article.Moves(groupsOf(was), groupsOf(next))
	final := was.State == article.Voting && next.State != article.Voting
	if enters := next.Listed() && !was.Listed(); enters || len(joins) > 0 || (final && next.State != article.Deleted) {
		w.GuardValue(articleVotes, was.ID, number(was.Votes)) // it joins lists with them, or they are kept
	}
	if final {
		w.Unlink(votersKey(was.ID))
		w.ZRem(articleVoting, was.ID)
	}
	if next.Gone() && next.State != was.State {
		w.ZAdd(articleGone, int64(now), was.ID)
	}
	switch {
	case was.Listed() && !next.Listed():
		leave(w, was.Article, "")
	case next.Listed() && !was.Listed():
		s.enter(w, next.Article, "")
	}
	for _, group := range joins {
		s.enter(w, next.Article, group)
	}
	for _, group := range leaves {
		leave(w, was.Article, group)
	}
	if next.State == article.Deleted || next.Author != was.Author { // nobody is shown
		w.HDel(articleWrote, was.ID)
	}
	if next.Author != was.Author {
		w.SRem(authoredKey(was.Author), was.ID)
		w.HDel(articleAuthors, was.Author)
	}
	return w
}

// groupsOf are the groups on whose lists an article is.
func groupsOf(p article.Page) []string {
	if !p.Listed() {
		return nil
	}
	return p.Groups
}

// changeAll changes articles as change does, all that it can in one round trip, and counts
// those that it wrote.
func (s *Store) changeAll(ctx context.Context, pages []article.Page, now board.Moment,
	decide func(article.Page) (article.Page, error),
) (wrote int64, err error) {
	writes, errs := make([]*redisstore.Write, len(pages)), make([]error, len(pages))
	free := make(chan struct{}, keptAtOnce)
	var all sync.WaitGroup
	for i, p := range pages {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			next, err := s.keep(ctx, p, decide)
			if errs[i] = err; err == nil && next.Version != p.Version {
				writes[i] = s.move(p, next, now)
			}
		})
	}
	all.Wait()
	s.redis.Apply(ctx, slices.DeleteFunc(slices.Clone(writes), func(w *redisstore.Write) bool { return w == nil })...)
	for i, w := range writes {
		if w == nil {
			continue
		}
		done, _, err := w.Done("change articles")
		if err == nil && !done { // what is kept may be of before what came between
			if _, done, err = s.change(ctx, pages[i].ID, now, decide); errors.Is(err, ErrNoArticle) {
				err = nil
			}
		}
		if errs[i] = err; done {
			wrote++
		}
	}
	return wrote, errors.Join(errs...)
}

// keepFirst keeps the page of a new article and returns it, or what is kept of the id. The
// process that kept the same article perhaps went no further: its page gets the version of
// the new one, so that only who creates it in Redis finds it created.
func (s *Store) keepFirst(ctx context.Context, page article.Page) (article.Page, error) {
	if s.kept == nil {
		return page, nil
	}
	first := page
	err := s.kept.ChangeArticle(ctx, page.ID, func(kept string, known bool) (string, error) {
		if first = page; !known {
			return page.EncodeKept(), nil
		}
		there, err := article.DecodeKept(page.ID, kept)
		if err != nil {
			return "", fmt.Errorf("%w: %w", redisstore.ErrStored, err)
		}
		if first = there; there.State == article.Voting {
			first.Version, first.Votes = page.Version, page.Votes
		}
		return kept, nil
	})
	return first, err
}

// keepKnown keeps the page that Redis turned out to have, if the page that keepFirst has
// put, with a version, is still kept.
func (s *Store) keepKnown(ctx context.Context, version string, known article.Page) error {
	if s.kept == nil {
		return nil
	}
	return s.kept.ChangeArticle(ctx, known.ID, func(kept string, _ bool) (string, error) {
		if there, err := article.DecodeKept(known.ID, kept); err != nil || there.Version != version {
			return kept, nil //nolint:nilerr // somebody else's: who changes it next reports damage
		}
		return known.EncodeKept(), nil
	})
}
