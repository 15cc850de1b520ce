package pages

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// ReplaceFollowing replaces a user's follow list at a moment, in two round trips,
// and one or two more for each conflict with another process. It gives no points.
// The error wraps ledger.ErrSelf, ledger.ErrTooMany, ledger.ErrErased or
// ledger.ErrExcluded when that cannot be; nothing has changed then.
func (s *Store) ReplaceFollowing(ctx context.Context, user string, targets []string, at board.Moment) error {
	return s.changeFollows(ctx, user, func(t *task, friends []string) (ledger.Changes, ledger.Row, error) {
		return ledger.ReplaceFollows(user, t.pages, t.voids.erased, friends, targets, at)
	}, append([]string{user}, targets...)...)
}

// changeFollows changes a user's follow list as decide says, which gets the ids on
// it beside its page, and the tombstones of some users. The row is what the journal keeps
// of it, unless it has changed nothing.
func (s *Store) changeFollows(ctx context.Context, user string,
	decide func(*task, []string) (ledger.Changes, ledger.Row, error), tombstonesOf ...string,
) error {
	if err := s.locks.lock(ctx, user); err != nil {
		return redisstore.Unavailable("wait for the user's lock", err)
	}
	defer s.locks.unlock(user)
	t := &task{
		user: user, shard: s.redis.ShardOf(user),
		pages: ledger.Pages{},
	}
	t.setNeeds([]ledger.PageKey{ledger.FollowsPage(), ledger.StatusPage()})
	t.voids.reread = true
	for _, user := range tombstonesOf {
		t.voids.tombstoneOf(codec.Hash(user))
	}
	kept := entry{journal: s.journal}
	for {
		friends, err := s.readFollows(ctx, t)
		if err != nil {
			return err
		}
		var row ledger.Row
		if t.changes, row, err = decide(t, friends); err != nil {
			if errors.Is(err, codec.ErrDamaged) || errors.Is(err, ledger.ErrFormat) {
				err = redisstore.Damaged(user, err)
			}
			return errors.Join(err, kept.keep(ctx, nil))
		}
		var rows []ledger.Row
		if row.Changed != 0 {
			rows = append(rows, row)
		}
		if err := kept.keep(ctx, rows); err != nil || t.changes.Empty() {
			return err
		}
		t.commit = s.commitOf(t)
		s.redis.Apply(ctx, t.commit)
		if again, err := s.committed(t); err != nil || !again {
			return err
		}
		redisstore.BackOff(ctx, t.attempts)
	}
}

// readFollows reads what a change of the follow list needs. The ids come after the
// version: when they are of another commit, the version is an old one.
func (s *Store) readFollows(ctx context.Context, t *task) (friends []string, err error) {
	pipe := s.redis.Client().Pipeline()
	closed := pipe.Get(ctx, redisstore.ClosedKey(t.shard))
	pages := pipe.HMGet(ctx, redisstore.PagesKey(t.shard, t.user), t.names...)
	ids := pipe.ZRange(ctx, redisstore.FriendsKey(t.shard, t.user), 0, -1)
	voided := &voidsRead{fields: []string{redisstore.VoidsVersionField}}
	voided.ask(t)
	voided.cmd = pipe.HMGet(ctx, redisstore.VoidsKey(t.shard), voided.fields...)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, redisstore.Unavailable("read a follow list", err)
	}
	if err := voided.give(t); err != nil {
		return nil, err
	}
	if err := s.take(t, closed.Val(), pages.Val()); err != nil {
		return nil, err
	}
	t.open()
	return ids.Val(), nil
}
