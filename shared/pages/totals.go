package pages

import (
	"context"
	"iter"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A Total is the totals page of a user.
type Total struct{ User, Page string }

// Totals returns the totals pages of the users who are suppressed, or of everybody with
// pages of a month, some of them twice.
func (s *Store) Totals(ctx context.Context, month board.MonthOf, everybody bool) iter.Seq2[Total, error] {
	return func(yield func(Total, error) bool) {
		for shard := range s.redis.Shards() {
			index := redisstore.SuppressedKey(shard)
			if everybody {
				index = redisstore.MonthKey(shard, month)
			}
			for cursor, first := uint64(0), true; first || cursor != 0; first = false {
				var some []Total
				var err error
				if some, cursor, err = s.someTotals(ctx, shard, index, cursor); err != nil {
					yield(Total{}, err)
					return
				}
				for _, t := range some {
					if !yield(t, nil) {
						return
					}
				}
			}
		}
	}
}

// someTotals returns the totals pages of some users of an index, and where to go on.
func (s *Store) someTotals(ctx context.Context, shard int, index string, cursor uint64) (some []Total, next uint64,
	err error,
) {
	pipe := s.redis.Client().Pipeline()
	scan := pipe.SScan(ctx, index, cursor, "", scanCount)
	if err := s.redis.ExecMarked(ctx, pipe, "list users", shard); err != nil {
		return nil, 0, err
	}
	users, next := scan.Val()
	pipe = s.redis.Client().Pipeline()
	pages := make([]*redis.StringCmd, len(users))
	for i, user := range users {
		pages[i] = pipe.HGet(ctx, redisstore.PagesKey(shard, user), ledger.TotalsPage().String())
	}
	if err := s.redis.ExecMarked(ctx, pipe, "read totals", shard); err != nil {
		return nil, 0, err
	}
	for i, user := range users {
		if page := pages[i].Val(); page != "" {
			some = append(some, Total{user, page})
		}
	}
	return some, next, nil
}
