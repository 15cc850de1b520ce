package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// ErrNotClosed is wrapped when what only a closed period allows is asked of one
// that can still change.
var ErrNotClosed = errors.New("live: period is not closed")

// ErrRestoring is wrapped when a board cannot be removed because it is being put
// back from the archive.
var ErrRestoring = errors.New("live: period is being restored")

// restoring marks a board among what is closed while it is being put back. No
// board has a colon in its name.
func restoring(name string) string { return "restoring:" + name }

// CloseMonth closes the ledger's month and the month of the boards in one change
// for each shard: nothing of the month is refused in one and taken in another.
func (s *Store) CloseMonth(ctx context.Context, month board.MonthOf, boards ...string) error {
	p := board.PeriodOf(board.Month, month.First())
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		c = c.With("", p)
		for _, name := range boards {
			c = c.With(name, p)
		}
		return c
	})
}

// BeginRestore closes a period and marks it, so that nobody removes it from Redis
// until EndRestore.
func (s *Store) BeginRestore(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		return c.With(name, p).With(restoring(name), p)
	})
}

// EndRestore opens the period and takes the mark away.
func (s *Store) EndRestore(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		return c.Without(name, p).Without(restoring(name), p)
	})
}

// Restoring says whether a restore of the period has begun and not ended.
func (s *Store) Restoring(ctx context.Context, name string, p board.Period) (bool, error) {
	states, err := s.closedStates(ctx)
	if err != nil {
		return false, err
	}
	for _, state := range states {
		if state.periods.Has(restoring(name), p) {
			return true, nil
		}
	}
	return false, nil
}

// closedStates reads what is closed in every shard, in one round trip.
func (s *Store) closedStates(ctx context.Context) ([]*closedState, error) {
	pipe := s.client.Pipeline()
	values := make([]*redis.StringCmd, s.shards)
	for shard := range s.shards {
		values[shard] = pipe.Get(ctx, closedKey(shard))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, unavailable("read what is closed", err)
	}
	states := make([]*closedState, s.shards)
	for shard, value := range values {
		if err := value.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return nil, unavailable("read what is closed", err)
		}
		var err error
		if states[shard], err = s.closedFrom(shard, value.Val()); err != nil {
			return nil, err
		}
	}
	return states, nil
}

// closedTo returns what is closed in every shard when the period is closed in all
// of them.
func (s *Store) closedTo(ctx context.Context, name string, p board.Period) ([]*closedState, error) {
	states, err := s.closedStates(ctx)
	if err != nil {
		return nil, err
	}
	for _, state := range states {
		if !state.periods.Has(name, p) {
			return nil, fmt.Errorf("%w: %s", ErrNotClosed, periodName(name, p))
		}
	}
	return states, nil
}
