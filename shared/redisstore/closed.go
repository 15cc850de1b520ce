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
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed { return closing(c, name, p) })
}

// ReopenPeriod takes ClosePeriod back.
func (s *Store) ReopenPeriod(ctx context.Context, name string, p board.Period) error {
	return s.changeClosed(ctx, func(c *board.Closed) *board.Closed { return c.Without(name, p) })
}

// ClosedPeriods keeps the text of the closed-period set outside Redis. ChangeClosed
// replaces it by what change makes of it, and may call change more than once; known is
// false if there is none.
type ClosedPeriods interface {
	ChangeClosed(ctx context.Context, change func(text string, known bool) (string, error)) error
}

// KeepClosed has every change of the closed-period set written to kept first. It is called
// before the store is used.
func (s *Store) KeepClosed(kept ClosedPeriods) { s.kept = kept }

// changeClosed changes the set that is kept and then every shard's, to what is kept then.
// Of writers at the same time, the one that commits a shard last has read what is kept
// after the commits of the others, or its version would be an old one; and each goes over
// all shards after its own change, and gives each another version, also where the set is
// as it should be, so that a commit of an older one fails. So all shards end with what is kept.
func (s *Store) changeClosed(ctx context.Context, change func(*board.Closed) *board.Closed) error {
	changed := false // what is kept
	ctx = WhenFull(ctx)
	for shard := range s.shards {
		err := s.changeClosedValue(ctx, shard, &changed, func(_ *Write, set *ClosedSet) (string, error) {
			periods, differs, err := s.changeKept(ctx, set.Periods, shard, change)
			changed = changed || differs
			return set.stamp + periods.String(), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// changeKept returns what a shard's set becomes. What is kept changes with the first shard.
func (s *Store) changeKept(ctx context.Context, set *board.Closed, shard int,
	change func(*board.Closed) *board.Closed,
) (periods *board.Closed, changed bool, err error) {
	if s.kept == nil {
		return change(set), false, nil
	}
	err = s.kept.ChangeClosed(ctx, func(text string, known bool) (string, error) {
		if periods = set; known {
			if periods, err = board.ParseClosed(text); err != nil {
				return "", fmt.Errorf("%w: the closed-period set that is kept: %w", ErrStored, err)
			}
		}
		if shard == 0 {
			periods = change(periods)
		}
		changed = changed || !known || periods.String() != text
		return periods.String(), nil
	})
	return periods, changed, err
}

// changeClosedValue changes what follows the version in a shard's closed-period set, as
// next says, which may write more beside it; also when it is the same if always is true by
// then.
func (s *Store) changeClosedValue(ctx context.Context, shard int, always *bool,
	next func(*Write, *ClosedSet) (string, error),
) error {
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
		text, err := next(&w, set)
		if err != nil {
			return err
		}
		if !*always && text == value[min(VersionLen, len(value)):] {
			return nil
		}
		w.Set(key, version+text)
		s.Apply(ctx, &w)
		if done, _, err := w.Done("close a period"); done || err != nil {
			return err
		}
	}
}
