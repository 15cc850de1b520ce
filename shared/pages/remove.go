package pages

import (
	"context"
	_ "embed"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

//go:embed remove_pages.lua
var removePagesSource string

// removeLen is how many users' pages are removed in one round trip.
const removeLen = 500

// RemovePages removes the pages of a month, and of its days, of everybody who has
// some. The ledger's month is closed (board "" of ClosePeriod), else the error
// wraps redisstore.ErrNotClosed; and nothing of it is being reopened, else it wraps
// redisstore.ErrReopening. Whose last page goes, the copy of the profile goes too.
// The closed-period set tells it first. It may be done again, and goes on where it was cut
// off.
func (s *Store) RemovePages(ctx context.Context, month board.MonthOf) error {
	names := []any{ledger.MonthPage(month).String()}
	for d := month.First(); d < (month + 1).First(); d++ {
		names = append(names, ledger.DayPage(d).String())
	}
	p := board.PeriodOf(board.Month, month.First())
	if _, err := s.redis.ClosedTo(ctx, "", p); err != nil {
		return err
	}
	if err := s.redis.MarkRemoved(ctx, "", p); err != nil {
		return err
	}
	for shard := range s.redis.Shards() {
		boards, err := s.redis.MonthBoards(ctx, shard, month)
		if err != nil {
			return err
		}
		for _, name := range boards {
			if err := s.redis.IndexMonth(ctx, shard, name, p); err != nil {
				return err
			}
		}
		for {
			users, err := s.redis.Client().SRandMemberN(ctx, redisstore.MonthKey(shard, month), removeLen).Result()
			if err != nil {
				return redisstore.Unavailable("list the users of a month", err)
			}
			if len(users) == 0 {
				break
			}
			if err := s.removePagesOf(ctx, shard, month, users, names); err != nil {
				return err
			}
		}
	}
	return nil
}

// removePagesOf removes the pages of some users. Whom a change of the closed-period set
// has saved is met again.
func (s *Store) removePagesOf(ctx context.Context, shard int, month board.MonthOf, users []string, names []any) error {
	p := board.PeriodOf(board.Month, month.First())
	states, err := s.redis.ClosedTo(ctx, "", p)
	if err != nil {
		return err
	}
	if states[shard].Reopening("", p) {
		return fmt.Errorf("%w: in %s", redisstore.ErrReopening, p)
	}
	calls := make([]*redisstore.Call, len(users))
	for i, user := range users {
		calls[i] = &redisstore.Call{
			Script: s.scripts.removePages,
			Keys: []string{
				redisstore.PagesKey(shard, user), redisstore.ClosedKey(shard), redisstore.MonthKey(shard, month),
				redisstore.ProfilesKey(shard),
			},
			Args: append([]any{states[shard].Version(), user}, names...),
		}
	}
	s.redis.Run(ctx, calls...)
	_, err = redisstore.AllDone("remove pages", calls...)
	return err
}
