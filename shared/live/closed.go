package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// versionLen is the length of a version: random bytes, new with every commit.
const versionLen = 8

// newVersion returns a version that was never given before.
func newVersion() string {
	b := make([]byte, versionLen)
	n := rand.Uint64()
	for i := range b {
		b[i] = byte(n >> (8 * i))
	}
	return string(b)
}

// closedState is what a shard says is closed: the value in Redis, a version and
// then lines of text, and the meaning of it.
type closedState struct {
	value   string
	periods *board.Closed
}

// version is the first bytes of the value, "" when there is none.
func (c *closedState) version() string { return c.value[:min(versionLen, len(c.value))] }

// closedFrom reads a shard's value; what was read last is not read again.
func (s *Store) closedFrom(shard int, value string) (*closedState, error) {
	if known := s.closed[shard].Load(); known != nil && known.value == value {
		return known, nil
	}
	state := &closedState{value: value}
	if value != "" {
		if len(value) < versionLen {
			return nil, fmt.Errorf("%w: %s", ErrStored, closedKey(shard))
		}
		periods, err := board.ParseClosed(value[versionLen:])
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrStored, closedKey(shard), err)
		}
		state.periods = periods
	}
	s.closed[shard].Store(state)
	return state, nil
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
	key := closedKey(shard)
	for {
		value, err := s.client.Get(ctx, key).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return unavailable("read what is closed", err)
		}
		state, err := s.closedFrom(shard, value)
		if err != nil {
			return err
		}
		changed := change(state.periods)
		if changed == state.periods {
			return nil
		}
		c := &call{script: s.scripts.close, keys: []string{key}, args: []any{state.version(), newVersion() + changed.String()}}
		s.run(ctx, []*call{c})
		switch reply, err := c.cmd.Int64(); {
		case err != nil:
			return unavailable("close a period", err)
		case reply == scriptDone:
			return nil
		}
	}
}
