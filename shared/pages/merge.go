package pages

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// UserRows are rows of one user, in any order.
type UserRows struct {
	User string
	Rows []ledger.Row
}

// Merge merges what a journal has of some users, all of them in two round trips and one
// more for each conflict; their votes too. Nothing is admitted: that was done when the
// rows were accepted. whole says that there are no other rows of these users; see
// ledger.Merge. It returns how many rows have changed something, 0 with an error, and may
// be done again, beside requests.
func (s *Store) Merge(ctx context.Context, users []UserRows, whole bool) (changed int64, err error) {
	votes := s.articles.Ballots()
	counted := ledger.Receipt{Status: ledger.Counted}
	var voteErr error
	var merges []*merge
	rows := make([][]ledger.Registers, len(users)) // what each has changed
	for n, u := range users {
		rows[n] = make([]ledger.Registers, len(u.Rows))
		if needs := s.ledger.MergeNeeds(u.Rows); len(needs) > 0 {
			t := &task{user: u.User, shard: s.redis.ShardOf(u.User), needs: needs, names: names(needs), changed: rows[n]}
			merges = append(merges, &merge{task: t, rows: u.Rows, whole: whole})
		}
		for i := range u.Rows {
			if u.Rows[i].Changed&ledger.Vote != 0 {
				votes.Add(u.Rows[i].Activity, &counted, &rows[n][i], &voteErr)
			}
		}
	}
	if err := s.readMerges(ctx, merges, votes.ReadIn); err != nil {
		return 0, err
	}
	for attempt := 1; len(merges) > 0 || votes.Open(); attempt++ {
		var calls []*redisstore.Call
		left := merges[:0]
		for _, m := range merges {
			if goOn, err := s.decideMerge(m); err != nil {
				return 0, err
			} else if goOn {
				calls, left = append(calls, s.redis.Call(m.commit)), append(left, m)
			}
		}
		s.redis.Run(ctx, append(calls, votes.Calls()...)...)
		votes.Counted()
		merges = left[:0]
		for _, m := range left {
			switch again, err := s.committed(m.task); {
			case err != nil:
				return 0, err
			case again:
				merges = append(merges, m)
			}
		}
		if len(merges) > 0 {
			// The friends of a conflict are those of its pages.
			if err := s.readMerges(ctx, merges, func(context.Context, redis.Pipeliner) {}); err != nil {
				return 0, err
			}
			redisstore.BackOff(ctx, attempt)
		}
	}
	votes.Close()
	if voteErr != nil {
		return 0, voteErr
	}
	for _, row := range slices.Concat(rows...) {
		if row != 0 {
			changed++
		}
	}
	return changed, nil
}

// merge is the work on one user's rows.
type merge struct {
	*task
	rows    []ledger.Row
	whole   bool
	friends *redis.StringSliceCmd // nil where no row is of the follow list
}

// readMerges reads what merges need, in one round trip.
func (s *Store) readMerges(ctx context.Context, merges []*merge, beside func(context.Context, redis.Pipeliner)) error {
	pipe := s.redis.Client().Pipeline()
	closed := map[int]*redis.StringCmd{}
	for _, m := range merges {
		if closed[m.shard] == nil {
			closed[m.shard] = pipe.Get(ctx, redisstore.ClosedKey(m.shard))
		}
		m.read = pipe.HMGet(ctx, redisstore.PagesKey(m.shard, m.user), m.names...)
		for _, key := range m.needs {
			if key == ledger.FollowsPage() {
				m.friends = pipe.ZRange(ctx, redisstore.FriendsKey(m.shard, m.user), 0, -1)
			}
		}
	}
	if beside(ctx, pipe); pipe.Len() == 0 {
		return nil
	}
	cmds, _ := pipe.Exec(ctx)
	if err := redisstore.FirstError(cmds...); err != nil {
		return redisstore.Unavailable("read pages", err)
	}
	for _, m := range merges {
		if err := s.take(m.task, closed[m.shard].Val(), m.read.Val()); err != nil {
			return err
		}
	}
	return nil
}

// decideMerge merges the rows into the pages as they were read; it does not go on when
// that changes nothing.
func (s *Store) decideMerge(m *merge) (goOn bool, err error) {
	var friends []string
	if m.friends != nil {
		friends = m.friends.Val()
	}
	for i := range m.changed {
		m.changed[i] &= ledger.Vote
	}
	if m.changes, err = s.mergeRows(m, friends, m.rows); err != nil || m.changes.Empty() {
		return false, err
	}
	m.commit = commitOf(m.task)
	return true, s.markChanging(m, friends)
}

func (s *Store) mergeRows(m *merge, friends []string, rows []ledger.Row) (ledger.Changes, error) {
	changes, err := s.ledger.Merge(m.pages, m.closed.Periods, friends, rows, m.whole)
	if err != nil {
		err = fmt.Errorf("%w: user %q: %w", redisstore.ErrStored, m.user, err)
	}
	return changes, err
}

// markChanging marks the rows that change something each by itself.
func (s *Store) markChanging(m *merge, friends []string) error {
	for i := range m.rows {
		if !m.whole {
			if one, err := s.mergeRows(m, friends, m.rows[i:i+1]); err != nil {
				return err
			} else if one.Empty() {
				continue
			}
		}
		m.changed[i] |= m.rows[i].Changed &^ ledger.Vote
	}
	return nil
}
