package live

import (
	"context"
	_ "embed"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

//go:embed remove_board.lua
var removeBoardSource string

//go:embed remove_pages.lua
var removePagesSource string

// removeLen is how many users' pages are removed in one round trip.
const removeLen = 500

// RemoveBoard removes a closed board from Redis, from every shard. It may be done
// again. The error wraps ErrNotClosed or ErrRestoring when it must stay.
func (s *Store) RemoveBoard(ctx context.Context, name string, p board.Period) error {
	for {
		states, err := s.closedTo(ctx, name, p)
		if err != nil {
			return err
		}
		calls := make([]*call, s.shards)
		for shard, state := range states {
			if state.periods.Has(restoring(name), p) {
				return fmt.Errorf("%w: %s", ErrRestoring, periodName(name, p))
			}
			calls[shard] = &call{
				script: s.scripts.removeBoard,
				keys:   []string{boardKey(shard, name, p), closedKey(shard), periodsKey(shard)},
				args:   []any{state.version(), periodName(name, p)},
			}
		}
		s.run(ctx, calls)
		if done, err := allDone("remove a board", calls); done || err != nil {
			return err
		}
	}
}

// RemovePages removes the pages of a month, and of its days, of everybody who has
// some. The ledger's month is closed (board "" of ClosePeriod), else the error
// wraps ErrNotClosed. Whose last page goes, the copy of the profile goes too. It may
// be done again, and goes on where it was cut off.
func (s *Store) RemovePages(ctx context.Context, month board.MonthOf) error {
	names := []any{ledger.MonthPage(month).String()}
	for d := month.First(); d < (month + 1).First(); d++ {
		names = append(names, ledger.DayPage(d).String())
	}
	for shard := range s.shards {
		for {
			users, err := s.client.SRandMemberN(ctx, monthKey(shard, month), removeLen).Result()
			if err != nil {
				return unavailable("list the users of a month", err)
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

// removePagesOf removes the pages of some users. Whom a change of what is closed
// has saved is met again.
func (s *Store) removePagesOf(ctx context.Context, shard int, month board.MonthOf, users []string, names []any) error {
	states, err := s.closedTo(ctx, "", board.PeriodOf(board.Month, month.First()))
	if err != nil {
		return err
	}
	calls := make([]*call, len(users))
	for i, user := range users {
		calls[i] = &call{
			script: s.scripts.removePages,
			keys:   []string{pagesKey(shard, user), closedKey(shard), monthKey(shard, month), profilesKey(shard)},
			args:   append([]any{states[shard].version(), user}, names...),
		}
	}
	s.run(ctx, calls)
	_, err = allDone("remove pages", calls)
	return err
}

// allDone says whether every script answered DONE, and none anything worse than
// CHANGED.
func allDone(operation string, calls []*call) (bool, error) {
	done := true
	for _, c := range calls {
		reply, err := c.cmd.Int64()
		if err != nil {
			return false, unavailable(operation, err)
		}
		done = done && reply == scriptDone
	}
	return done, nil
}
