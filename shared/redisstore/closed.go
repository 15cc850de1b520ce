package redisstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// A ClosedSet is a shard's closed-period set: the value in Redis, a version, the
// stamp and then lines of text, and the meaning of it. The nil set is that of a shard that
// nobody has read.
type ClosedSet struct {
	value   string
	stamp   string // its line, "" for none
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
// not parsed again. The error wraps ErrStamp when the stamp is not as expected.
func (s *Store) ReadClosed(shard int, value string) (*ClosedSet, error) {
	set := s.closed[shard].Load()
	if set == nil || set.value != value {
		var err error
		if set, err = parseClosed(value); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrStored, ClosedKey(shard), err)
		}
		s.closed[shard].Store(set)
	}
	return set, s.checkLine(set.stamp)
}

var errShort = errors.New("it has no version")

func parseClosed(value string) (*ClosedSet, error) {
	set := &ClosedSet{value: value}
	if value == "" {
		return set, nil
	}
	if len(value) < VersionLen {
		return nil, errShort
	}
	line, text := cutStamp(value[VersionLen:])
	periods, err := board.ParseClosed(text)
	set.stamp, set.Periods = line, periods
	return set, err
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
	return s.changeClosedValue(ctx, shard, func(_ *Write, set *ClosedSet) string {
		return set.stamp + change(set.Periods).String()
	})
}

// changeClosedValue changes what follows the version in a shard's closed-period set, as
// next says, which may write more beside it.
func (s *Store) changeClosedValue(ctx context.Context, shard int, next func(*Write, *ClosedSet) string) error {
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
		var w Write
		version := NewVersion()
		w.guard(key, "", VersionLen, set.Version(), version)
		text := next(&w, set)
		if text == value[min(VersionLen, len(value)):] {
			return nil
		}
		w.Set(key, version+text)
		s.Apply(ctx, &w)
		if done, _, err := w.Done("close a period"); done || err != nil {
			return err
		}
	}
}
