package live

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
)

//go:embed read_following.lua
var readFollowingSource string

// A Following is a page of whom a user follows.
type Following struct {
	Users    []string          // by id
	Total    int64             // on the whole list
	Profiles map[string]string // copies of the users' profiles; absent: not known
	Era      string            // what it takes to set those
}

// mostNamed is the longest page of a follow list, or of a friends board, that comes
// with profiles.
const mostNamed = 1_000

// Following reads a page of whom a user follows, in one round trip; the copies of
// profiles that are in other shards take a second one, a deliberate exception. A
// page of more than a thousand comes without any.
func (s *Store) Following(ctx context.Context, user string, offset, limit int64) (Following, error) {
	shard := s.shardOf(user)
	c := &call{
		script: s.scripts.readFollowing,
		keys:   []string{friendsKey(shard, user), profilesKey(shard)},
		args:   []any{offset, offset + limit - 1, mostNamed},
	}
	s.run(ctx, []*call{c})
	reply, err := c.cmd.Slice()
	if err != nil {
		return Following{}, unavailable("read a follow list", err)
	}
	if len(reply) != 3 {
		return Following{}, errReply("a follow list's answer is not of three parts")
	}
	f := Following{Users: texts(reply[1]), Profiles: map[string]string{}}
	f.Total, _ = reply[0].(int64)
	if s.shards > 1 && len(f.Users) <= mostNamed {
		f.Profiles, f.Era, err = s.Profiles(ctx, f.Users)
		return f, err
	}
	if copies, _ := reply[2].([]any); len(copies) > 0 {
		f.Era, err = takeCopies(f.Profiles, f.Users, copies)
	}
	return f, err
}

// ReplaceFollowing replaces a user's follow list at a moment, in two round trips,
// and one or two more for each conflict with another process. It gives no points.
// The error wraps ledger.ErrSelf, ledger.ErrTooMany or ledger.ErrExcluded when
// that cannot be; nothing has changed then.
func (s *Store) ReplaceFollowing(ctx context.Context, user string, targets []string, at board.Moment) error {
	return s.changeFollows(ctx, user, func(t *task, friends []string) (ledger.Changes, error) {
		return ledger.ReplaceFollows(user, t.pages, friends, targets, at)
	})
}

// changeFollows changes a user's follow list as decide says, which gets the ids on
// it beside its page.
func (s *Store) changeFollows(ctx context.Context, user string, decide func(*task, []string) (ledger.Changes, error)) error {
	if err := s.turns.take(ctx, user); err != nil {
		return unavailable("wait for the user's turn", err)
	}
	defer s.turns.give(user)
	t := &task{user: user, shard: s.shardOf(user), needs: []ledger.PageKey{ledger.FollowsPage(), ledger.StatusPage()}}
	t.names = names(t.needs)
	for {
		friends, err := s.readFollows(ctx, t)
		if err != nil {
			return err
		}
		if t.changes, err = decide(t, friends); err != nil {
			if errors.Is(err, codec.ErrDamaged) {
				err = fmt.Errorf("%w: user %q: %w", ErrStored, user, err)
			}
			return err
		}
		if t.changes.Empty() {
			return nil
		}
		t.commit = s.commitCall(t)
		s.run(ctx, []*call{t.commit})
		if again, err := s.committed(t); err != nil || !again {
			return err
		}
		s.backOff(ctx, []*task{t})
	}
}

// readFollows reads what a change of the follow list needs. The ids come after the
// version: when they are of another commit, the version is an old one.
func (s *Store) readFollows(ctx context.Context, t *task) (friends []string, err error) {
	pipe := s.client.Pipeline()
	closed := pipe.Get(ctx, closedKey(t.shard))
	pages := pipe.HMGet(ctx, pagesKey(t.shard, t.user), append([]string{versionField}, t.names...)...)
	ids := pipe.ZRange(ctx, friendsKey(t.shard, t.user), 0, -1)
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, unavailable("read a follow list", err)
	}
	return ids.Val(), s.take(t, closed.Val(), pages.Val())
}

// texts reads an array of strings.
func texts(reply any) []string {
	array, _ := reply.([]any)
	all := make([]string, len(array))
	for i, v := range array {
		all[i], _ = v.(string)
	}
	return all
}
