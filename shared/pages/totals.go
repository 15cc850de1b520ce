package pages

import (
	"context"
	"iter"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// totalsLen is about how many users' totals are read at once.
const totalsLen = 500

// A Total is the totals page of a user.
type Total struct{ User, Page string }

// Totals returns the totals pages of everybody with pages of a month, some hundred at a time
// and some of them twice.
func (s *Store) Totals(ctx context.Context, month board.MonthOf) iter.Seq2[[]Total, error] {
	return func(yield func([]Total, error) bool) {
		for shard := range s.redis.Shards() {
			for from, first := "", true; first || from != ""; first = false {
				users, next, err := s.redis.MonthUsers(ctx, shard, month, from, totalsLen)
				var some []Total
				if err == nil {
					some, err = s.totalsOf(ctx, shard, users)
				}
				if from = next; !yield(some, err) || err != nil {
					return
				}
			}
		}
	}
}

// totalsOf returns the totals pages of users of a shard.
func (s *Store) totalsOf(ctx context.Context, shard int, users []string) (some []Total, err error) {
	pipe := s.redis.Client().Pipeline()
	pages := make([]*redis.StringCmd, len(users))
	for i, user := range users {
		pages[i] = pipe.HGet(ctx, redisstore.PagesKey(shard, user), ledger.TotalsPage().String())
	}
	if err := s.redis.ExecMarked(ctx, pipe, "read totals", shard); err != nil {
		return nil, err
	}
	for i, user := range users {
		if page := pages[i].Val(); page != "" {
			some = append(some, Total{user, page})
		}
	}
	return some, nil
}
