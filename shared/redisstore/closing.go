package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// ErrNotClosed is wrapped when what only a closed period allows is asked of one
// that can still change.
var ErrNotClosed = errors.New("redisstore: period is not closed")

// ErrRestoring is wrapped when a board cannot be removed because it is being put
// back from the archive.
var ErrRestoring = errors.New("redisstore: period is being restored")

// restoring marks a board in the closed-period set while it is being put back. No
// board has a colon in its name.
func restoring(name string) string { return "restoring:" + name }

// Restoring says whether the period is being put back from the archive.
func (c *ClosedSet) Restoring(name string, p board.Period) bool {
	return c.Periods.Has(restoring(name), p)
}

// AllRestoring lists the periods that are being put back from the archive.
func (c *ClosedSet) AllRestoring() (periods []LivePeriod) {
	for marked, p := range c.Periods.Periods() {
		if name, found := strings.CutPrefix(marked, restoring("")); found {
			periods = append(periods, LivePeriod{Board: name, Period: p})
		}
	}
	return periods
}

// removed marks a board in the closed-period set that is not in Redis any more, or a
// ledger's month without pages. No board has a colon in its name.
func removed(name string) string { return "removed:" + name }

// MarkRemoved marks a closed period as removed from Redis. It is called just before that
// is done: what stays of it is not to come back.
func (s *Store) MarkRemoved(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		if !c.Has(name, p) || c.Has(restoring(name), p) {
			return c
		}
		return c.With(removed(name), p)
	})
}

// WasRemoved says whether a period is closed and marked as removed from Redis.
func WasRemoved(c *board.Closed, name string, p board.Period) bool {
	return c.Has(name, p) && c.Has(removed(name), p)
}

// IsMark says whether a name in a closed-period set is that of a mark, and the board's.
func IsMark(name string) (of string, mark bool) {
	_, of, mark = strings.Cut(name, ":")
	return of, mark
}

// closing returns the set with a period that is closed now, if it was not.
func closing(c *board.Closed, name string, p board.Period) *board.Closed {
	if c.Has(name, p) {
		return c
	}
	return c.With(name, p).Without(removed(name), p)
}

// CloseMonth closes the ledger's month and the month of the boards in one change
// for each shard: nothing of the month is refused in one and taken in another.
func (s *Store) CloseMonth(ctx context.Context, month board.MonthOf, boards ...string) error {
	p := board.PeriodOf(board.Month, month.First())
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		c = closing(c, "", p)
		for _, name := range boards {
			c = closing(c, name, p)
		}
		return c
	})
}

// BeginRestore closes a period and marks it, so that nobody removes it from Redis
// until EndRestore.
func (s *Store) BeginRestore(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		return c.With(name, p).With(restoring(name), p).Without(removed(name), p)
	})
}

// EndRestore opens the period and removes the mark.
func (s *Store) EndRestore(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		return c.Without(name, p).Without(restoring(name), p)
	})
}

// Restoring says whether a restore of the period has begun and not ended.
func (s *Store) Restoring(ctx context.Context, name string, p board.Period) (bool, error) {
	sets, err := s.ClosedSets(ctx)
	if err != nil {
		return false, err
	}
	for _, set := range sets {
		if set.Restoring(name, p) {
			return true, nil
		}
	}
	return false, nil
}

// ClosedSets reads the closed-period set of every shard, in one round trip.
func (s *Store) ClosedSets(ctx context.Context) ([]*ClosedSet, error) {
	pipe := s.client.Pipeline()
	values := make([]*redis.StringCmd, s.shards)
	for shard := range s.shards {
		values[shard] = pipe.Get(ctx, ClosedKey(shard))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return nil, Unavailable("read the closed-period set", err)
	}
	sets := make([]*ClosedSet, s.shards)
	for shard, value := range values {
		if err := value.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return nil, Unavailable("read the closed-period set", err)
		}
		var err error
		if sets[shard], err = s.ReadClosed(shard, value.Val()); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// ClosedTo returns the closed-period set of every shard when the period is closed in all
// of them.
func (s *Store) ClosedTo(ctx context.Context, name string, p board.Period) ([]*ClosedSet, error) {
	sets, err := s.ClosedSets(ctx)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		if !set.Periods.Has(name, p) {
			return nil, fmt.Errorf("%w: %s", ErrNotClosed, PeriodName(name, p))
		}
	}
	return sets, nil
}
