package pages

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/articles"
	"laurel/shared/board"
	"laurel/shared/codec"
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
		if m := s.merge(u.User, s.ledger.MergeNeeds(u.Rows)); m != nil {
			m.changed, m.rows, m.whole = rows[n], u.Rows, whole
			m.decide = func(friends []string) (ledger.Changes, error) { return s.mergeRows(m, friends, u.Rows) }
			m.tombstonesOf(u)
			merges = append(merges, m)
		}
		for i := range u.Rows {
			if u.Rows[i].Changed&ledger.Vote != 0 {
				votes.Add(u.Rows[i].Activity, &counted, &rows[n][i], &voteErr)
			}
		}
	}
	if err := s.mergeAll(ctx, merges, votes); err != nil || voteErr != nil {
		return 0, errors.Join(err, voteErr)
	}
	for _, row := range slices.Concat(rows...) {
		if row != 0 {
			changed++
		}
	}
	return changed, nil
}

// MergeSound is Merge without users whose pages are damaged, whom it returns.
func (s *Store) MergeSound(ctx context.Context, users []UserRows, whole bool) (changed int64, damaged []string,
	err error,
) {
	changed, err = s.Merge(ctx, users, whole)
	half := len(users) / 2
	switch {
	case !errors.Is(err, redisstore.ErrStored):
		return changed, nil, err
	case half == 0:
		return 0, []string{users[0].User}, nil
	}
	for _, some := range [][]UserRows{users[:half], users[half:]} {
		n, bad, err := s.MergeSound(ctx, some, whole)
		if changed, damaged = changed+n, append(damaged, bad...); err != nil {
			return changed, damaged, err
		}
	}
	return changed, damaged, nil
}

// ByUser sorts rows by user, and goes over the users with theirs.
func ByUser(rows []ledger.Row) iter.Seq[UserRows] {
	slices.SortStableFunc(rows, func(a, b ledger.Row) int { return strings.Compare(a.User, b.User) })
	return func(yield func(UserRows) bool) {
		for from := 0; from < len(rows); {
			user, end := rows[from].User, from
			for end < len(rows) && rows[end].User == user {
				end++
			}
			if !yield(UserRows{User: user, Rows: rows[from:end]}) {
				return
			}
			from = end
		}
	}
}

// MergeFollows merges follow lists that were kept, as ledger.MergeFollows does, in two
// round trips and one more for each conflict. erased returns until when a target is left
// out of a user's list; who is erased meanwhile is left out, too.
func (s *Store) MergeFollows(ctx context.Context, lists []FollowList,
	erased func(user string, hash uint64) board.Moment,
) error {
	merges := make([]*merge, len(lists))
	for i, l := range lists {
		m := s.merge(l.User, []ledger.PageKey{ledger.FollowsPage()})
		known := ledger.Row{Changed: ledger.Follow}
		_, _ = ledger.MergeFollows("", nil, l.Page, nil, func(hash uint64) board.Moment { // below it fails again
			known.ListedHashes = append(known.ListedHashes, hash)
			return board.Latest
		})
		m.tombstonesOf(UserRows{User: l.User, Rows: []ledger.Row{known}})
		m.decide = func(friends []string) (ledger.Changes, error) {
			return ledger.MergeFollows(m.pages[ledger.FollowsPage()], friends, l.Page, l.IDs,
				func(hash uint64) board.Moment {
					return max(erased(l.User, hash), m.voids.erased.Followed(hash), m.voids.erased.Until(l.User))
				})
		}
		merges[i] = m
	}
	return s.mergeAll(ctx, merges, s.articles.Ballots())
}

// UserTotals are what final months of a user came to, as a page or one by one.
type UserTotals struct {
	User   string
	Page   string
	Totals []ledger.Total
}

// MergeTotals merges totals, as ledger.MergeTotals does, in two round trips and one more
// for each conflict, but of users who were erased since the tombstones that are given.
func (s *Store) MergeTotals(ctx context.Context, users []UserTotals, erased ledger.Erased) error {
	merges := make([]*merge, len(users))
	for i, u := range users {
		m := s.merge(u.User, []ledger.PageKey{ledger.TotalsPage(), ledger.StatusPage()})
		m.tombstonesOf(UserRows{User: u.User})
		m.decide = func([]string) (ledger.Changes, error) {
			if m.voids.erased.Until(u.User) > erased.Until(u.User) {
				return ledger.Changes{}, nil
			}
			return s.ledger.MergeTotals(m.pages, m.closed.Periods, u.Page, u.Totals)
		}
		merges[i] = m
	}
	return s.mergeAll(ctx, merges, s.articles.Ballots())
}

// merge returns a merge into pages, nil without pages.
func (s *Store) merge(user string, needs []ledger.PageKey) *merge {
	if len(needs) == 0 {
		return nil
	}
	m := &merge{task: &task{user: user, shard: s.redis.ShardOf(user), pages: ledger.Pages{}}}
	m.setNeeds(needs)
	return m
}

// mergeAll does merges, of different users, with votes.
func (s *Store) mergeAll(ctx context.Context, merges []*merge, votes *articles.Ballots) error {
	if err := s.readMerges(ctx, merges, votes.ReadIn); err != nil {
		return err
	}
	for attempt := 1; len(merges) > 0 || votes.Open(); attempt++ {
		var calls []*redisstore.Call
		left := merges[:0]
		for _, m := range merges {
			if goOn, err := s.decideMerge(m); err != nil {
				return err
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
				return err
			case again:
				merges = append(merges, m)
			}
		}
		if len(merges) > 0 {
			// The friends and tombstones of a conflict are those of its pages.
			if err := s.readMerges(ctx, merges, func(context.Context, redis.Pipeliner) {}); err != nil {
				return err
			}
			redisstore.BackOff(ctx, attempt)
		}
	}
	votes.Close()
	return nil
}

// merge is the work on one user's rows, or on what else is merged.
type merge struct {
	*task
	rows    []ledger.Row
	whole   bool
	decide  func(friends []string) (ledger.Changes, error)
	friends *redis.StringSliceCmd // nil where the follow list is not needed
}

// tombstonesOf has the tombstones read of the user and of whom the rows put on the follow
// list or take off it: who is erased meanwhile is not to come back.
func (m *merge) tombstonesOf(u UserRows) {
	m.voids.reread = true
	m.voids.tombstoneOf(codec.Hash(u.User))
	for i := range u.Rows {
		for hash := range u.Rows[i].Targets() {
			m.voids.tombstoneOf(hash)
		}
	}
}

// readMerges reads what merges need, in one round trip.
func (s *Store) readMerges(ctx context.Context, merges []*merge, beside func(context.Context, redis.Pipeliner)) error {
	pipe := s.redis.Client().Pipeline()
	closed, voided := map[int]*redis.StringCmd{}, map[int]*voidsRead{}
	for _, m := range merges {
		if closed[m.shard] == nil {
			closed[m.shard] = pipe.Get(ctx, redisstore.ClosedKey(m.shard))
			voided[m.shard] = &voidsRead{fields: []string{redisstore.VoidsVersionField}}
		}
		voided[m.shard].ask(m.task)
		m.read = pipe.HMGet(ctx, redisstore.PagesKey(m.shard, m.user), m.names...)
		for _, key := range m.needs {
			if key == ledger.FollowsPage() {
				m.friends = pipe.ZRange(ctx, redisstore.FriendsKey(m.shard, m.user), 0, -1)
			}
		}
	}
	for shard, read := range voided {
		read.cmd = pipe.HMGet(ctx, redisstore.VoidsKey(shard), read.fields...)
	}
	if beside(ctx, pipe); pipe.Len() == 0 {
		return nil
	}
	cmds, _ := pipe.Exec(ctx)
	if err := redisstore.FirstError(cmds...); err != nil {
		return redisstore.Unavailable("read pages", err)
	}
	for _, m := range merges {
		if err := voided[m.shard].give(m.task); err != nil {
			return err
		}
		if err := s.take(m.task, closed[m.shard].Val(), m.read.Val()); err != nil {
			return err
		}
		m.open()
	}
	return nil
}

// decideMerge merges into the pages as they were read; it does not go on when
// that changes nothing.
func (s *Store) decideMerge(m *merge) (goOn bool, err error) {
	var friends []string
	if m.friends != nil {
		friends = m.friends.Val()
	}
	for i := range m.changed {
		m.changed[i] &= ledger.Vote
	}
	if m.changes, err = m.decide(friends); err != nil {
		return false, redisstore.Damaged(m.user, err)
	}
	if m.changes.Empty() {
		return false, nil
	}
	m.commit = s.commitOf(m.task)
	return true, s.markChanging(m, friends)
}

func (s *Store) mergeRows(m *merge, friends []string, rows []ledger.Row) (ledger.Changes, error) {
	if len(m.voids.erased) > 0 {
		kept := make([]ledger.Row, 0, len(rows))
		for _, row := range rows {
			if m.voids.erased.Keep(&row) {
				kept = append(kept, row)
			}
		}
		rows = kept
	}
	return s.ledger.Merge(m.pages, m.closed.Periods, friends, rows, m.whole)
}

// markChanging marks the rows that change something each by itself.
func (s *Store) markChanging(m *merge, friends []string) error {
	for i := range m.rows {
		if !m.whole {
			if one, err := s.mergeRows(m, friends, m.rows[i:i+1]); err != nil {
				return redisstore.Damaged(m.user, err)
			} else if one.Empty() {
				continue
			}
		}
		m.changed[i] |= m.rows[i].Changed &^ ledger.Vote
	}
	return nil
}
