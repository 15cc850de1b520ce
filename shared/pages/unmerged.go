package pages

import (
	"context"

	"github.com/redis/go-redis/v9"

	"laurel/shared/redisstore"
)

// Unmerged returns those of some users whose pages lack what their rows say, in one round
// trip. There are no other rows of these users. Rows that a request is about to commit are
// not on the pages yet.
func (s *Store) Unmerged(ctx context.Context, users []UserRows) ([]UserRows, error) {
	return s.unmerged(ctx, users, func(m *merge) { m.whole = true })
}

// UnmergedIn is Unmerged of users of whom there may be other rows, as if a closed period was open.
func (s *Store) UnmergedIn(ctx context.Context, users []UserRows, at redisstore.LivePeriod) ([]UserRows, error) {
	return s.unmerged(ctx, users, func(m *merge) {
		set := *m.closed
		set.Periods = redisstore.Opened(set.Periods, at.Board, at.Period)
		m.closed = &set
	})
}

func (s *Store) unmerged(ctx context.Context, users []UserRows, as func(*merge)) (lacking []UserRows, err error) {
	var merges []*merge
	for _, u := range users {
		if m := s.merge(u.User, s.ledger.MergeNeeds(u.Rows)); m != nil {
			m.rows = u.Rows
			merges = append(merges, m)
		}
	}
	if err := s.readMerges(ctx, merges, func(context.Context, redis.Pipeliner) {}); err != nil {
		return nil, err
	}
	for _, m := range merges {
		as(m)
		changes, err := s.mergeRows(m, nil, m.rows)
		if err != nil {
			continue // the audit of the pages names the user
		}
		if !changes.Empty() {
			lacking = append(lacking, UserRows{User: m.user, Rows: m.rows})
		}
	}
	return lacking, nil
}
