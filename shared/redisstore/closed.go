package redisstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// A ClosedSet is a shard's closed-period set: the value in Redis, a version and
// then lines of text, and the meaning of it. The nil set is that of a shard that
// nobody has read.
type ClosedSet struct {
	value   string
	Periods *board.Closed
}

// Version is the first bytes of the value, "" when there is none.
func (c *ClosedSet) Version() string {
	if c == nil {
		return ""
	}
	return c.value[:min(VersionLen, len(c.value))]
}

// ReadClosed reads a shard's value of ClosedKey, "" for none; what was read last is
// not parsed again.
func (s *Store) ReadClosed(shard int, value string) (*ClosedSet, error) {
	if known := s.closed[shard].Load(); known != nil && known.value == value {
		return known, nil
	}
	set := &ClosedSet{value: value}
	if value != "" {
		if len(value) < VersionLen {
			return nil, fmt.Errorf("%w: %s", ErrStored, ClosedKey(shard))
		}
		periods, err := board.ParseClosed(value[VersionLen:])
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrStored, ClosedKey(shard), err)
		}
		set.Periods = periods
	}
	s.closed[shard].Store(set)
	return set, nil
}

// ClosePeriod closes a period of a board to writes, in every shard. The board
// "" closes the ledger's month. A commit that has read before and comes after is
// refused; it reads and decides again.
func (s *Store) ClosePeriod(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed { return c.With(name, p) })
}

// ReopenPeriod takes ClosePeriod back.
func (s *Store) ReopenPeriod(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed { return c.Without(name, p) })
}

func (s *Store) changeClosed(ctx context.Context, change func(*board.Closed) *board.Closed) error {
	for shard := range s.shards {
		if err := s.changeClosedIn(ctx, shard, change); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) changeClosedIn(ctx context.Context, shard int, change func(*board.Closed) *board.Closed) error {
	key := ClosedKey(shard)
	for {
		value, err := s.client.Get(ctx, key).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return Unavailable("read the closed-period set", err)
		}
		set, err := s.ReadClosed(shard, value)
		if err != nil {
			return err
		}
		changed := change(set.Periods)
		if changed == set.Periods {
			return nil
		}
		next := NewVersion()
		var w Write
		w.guard(key, "", VersionLen, set.Version(), next)
		w.Set(key, next+changed.String())
		s.Apply(ctx, &w)
		if done, _, err := w.Done("close a period"); done || err != nil {
			return err
		}
	}
}
