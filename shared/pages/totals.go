package pages

import (
	"context"
	"iter"
	"strconv"

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
		list := s.suppressed
		if everybody {
			list = func(ctx context.Context, shard int, from string) ([]string, string, error) {
				return s.redis.MonthUsers(ctx, shard, month, from, scanCount)
			}
		}
		for shard := range s.redis.Shards() {
			for from, first := "", true; first || from != ""; first = false {
				users, next, err := list(ctx, shard, from)
				var some []Total
				if err == nil {
					some, err = s.totalsOf(ctx, shard, users)
				}
				if from = next; err != nil {
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

// suppressed lists some of the users of a shard who are suppressed, and where to go on.
func (s *Store) suppressed(ctx context.Context, shard int, from string) (users []string, next string, err error) {
	cursor, _ := strconv.ParseUint(from, 10, 64) // "" is the first
	pipe := s.redis.Client().Pipeline()
	scan := pipe.SScan(ctx, redisstore.SuppressedKey(shard), cursor, "", scanCount)
	if err := s.redis.ExecMarked(ctx, pipe, "list users", shard); err != nil {
		return nil, "", err
	}
	if users, cursor = scan.Val(); cursor != 0 {
		next = strconv.FormatUint(cursor, 10)
	}
	return users, next, nil
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
