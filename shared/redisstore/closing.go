package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// ErrNotClosed is wrapped when what only a closed period allows is asked of one
// that can still change.
var ErrNotClosed = errors.New("redisstore: period is not closed")

// ErrReopening is wrapped when what is being reopened cannot be removed or made final.
var ErrReopening = errors.New("redisstore: period is being reopened")

// ErrNotReopening is wrapped when a period is filled that is neither being reopened nor was.
var ErrNotReopening = errors.New("redisstore: period is not being reopened")

// reopening marks a final board in the closed-period set while its entries are put into
// Redis again: it is still closed, and nobody removes anything of it.
func reopening(name string) string { return "reopening:" + name }

// reopened marks a board, or a ledger's month, that was final and is live again, until it
// is removed from Redis again: the archive has a copy of it, which is replaced.
func reopened(name string) string { return "reopened:" + name }

// Reopening says whether a period is being reopened; of a month of the ledger (the board
// ""), whether any day, week or month of it is.
func (c *ClosedSet) Reopening(name string, p board.Period) bool {
	return IsReopening(c.Periods, name, p)
}

// IsReopening is Reopening of a set that is kept.
func IsReopening(c *board.Closed, name string, p board.Period) bool {
	if name != "" {
		return c.Has(reopening(name), p)
	}
	return slices.ContainsFunc(marked(c, reopening("")), func(at LivePeriod) bool {
		return at.Period.Window() <= board.Month && at.Period.First() <= p.Last() && at.Period.Last() >= p.First()
	})
}

// Reopened says whether a period was reopened, and not removed from Redis since.
func (c *ClosedSet) Reopened(name string, p board.Period) bool {
	return WasReopened(c.Periods, name, p)
}

// WasReopened is Reopened of a set that is kept.
func WasReopened(c *board.Closed, name string, p board.Period) bool { return c.Has(reopened(name), p) }

// AllReopening lists the periods that are being reopened.
func (c *ClosedSet) AllReopening() []LivePeriod { return marked(c.Periods, reopening("")) }

// AllReopened lists the periods that were reopened; months of the ledger have the board "".
func (c *ClosedSet) AllReopened() []LivePeriod { return marked(c.Periods, reopened("")) }

// marked lists the periods of boards that have a mark.
func marked(c *board.Closed, mark string) (periods []LivePeriod) {
	for name, p := range c.Periods() {
		if of, found := strings.CutPrefix(name, mark); found {
			periods = append(periods, LivePeriod{Board: of, Period: p})
		}
	}
	return periods
}

// Opened returns the set in which a period is open, a month with the ledger's.
func Opened(c *board.Closed, name string, p board.Period) *board.Closed {
	if c = c.Without(name, p); p.Window() == board.Month {
		c = c.Without("", p)
	}
	return c
}

// OpenedAgain returns the set in which a closed period is open, a month of the ledger with a
// mark: later months may be final.
func OpenedAgain(c *board.Closed, name string, p board.Period) *board.Closed {
	if c = c.Without(name, p); name == "" {
		c = c.With(reopened(""), p)
	}
	return c
}

// removed marks a board in the closed-period set that is not in Redis any more, or a
// ledger's month without pages. No board has a colon in its name.
func removed(name string) string { return "removed:" + name }

// MarkRemoved marks a closed period as removed from Redis. It is called just before that
// is done: what stays of it is not to come back.
func (s *Store) MarkRemoved(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		if !c.Has(name, p) || IsReopening(c, name, p) {
			return c
		}
		return c.With(removed(name), p).Without(reopened(name), p)
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

// MarkStays says whether a mark in a set that is kept stays when Redis is filled again: not
// that of a period that was being reopened, of which Redis has nothing any more.
func MarkStays(c *board.Closed, name string, p board.Period) bool {
	of, _ := IsMark(name)
	switch name {
	case reopened(of):
		return true
	case removed(of):
		return WasRemoved(c, of, p)
	default:
		return false
	}
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

// BeginReopening closes a period, if it is not, and marks it: nobody removes anything of
// it from Redis until EndReopening.
func (s *Store) BeginReopening(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed { return c.With(name, p).With(reopening(name), p) })
}

// EndReopening opens a period that is being reopened to writes, a month with the ledger's.
// The error wraps ErrNotReopening if it is not any more.
func (s *Store) EndReopening(ctx context.Context, name string, p board.Period) error {
	lost := false
	err := s.changeClosed(ctx, func(c *board.Closed) *board.Closed {
		if lost = !c.Has(reopening(name), p); lost {
			return c
		}
		c = Opened(c, name, p).Without(reopening(name), p).Without(removed(name), p).With(reopened(name), p)
		if p.Window() == board.Month {
			c = c.Without(removed(""), p).With(reopened(""), p)
		}
		return c
	})
	if err == nil && lost {
		err = fmt.Errorf("%w: %s", ErrNotReopening, PeriodName(name, p))
	}
	return err
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
