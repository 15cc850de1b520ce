package app

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// ErrOther is wrapped when the stores were filled by processes with other settings: with
// these, every answer would be wrong.
var ErrOther = errors.New("app: the stores were filled with other settings")

// askAgain is how long a process waits before it reads the table's stamp again for a
// Redis that does not have it.
const askAgain = time.Second

// Stamps hold Redis against the stamp in the table.
type Stamps struct {
	want  redisstore.Stamp // but the generation
	redis *redisstore.Store
	state *state.Store

	ready atomic.Bool
	mu    sync.Mutex
	known redisstore.Stamp
	asked time.Time
}

// Ready reads the table's stamp when nothing is known of it yet, and has Redis looked at
// with it. Where neither the table nor Redis has one, it writes the first. Its error
// wraps ErrOther when the settings of this process are not those of the stores.
func (s *Stamps) Ready(ctx context.Context) error {
	if s.ready.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready.Load() {
		return nil
	}
	return s.read(ctx)
}

// Stale says whether an operation failed for a stamp that this process did not know.
func (s *Stamps) Stale(ctx context.Context, failed error) bool {
	if !errors.Is(failed, redisstore.ErrStamp) {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.asked) < askAgain {
		return false
	}
	was := s.known
	return s.read(ctx) == nil && s.known != was
}

// Fresh reads the table's stamp again.
func (s *Stamps) Fresh(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read(ctx)
}

// read reads the table's stamp. The lock is held.
func (s *Stamps) read(ctx context.Context) error {
	s.asked = time.Now()
	stamp, err := s.state.Stamp(ctx)
	if err != nil {
		return fmt.Errorf("app: read the stamp: %w", err)
	}
	if stamp == nil {
		if stamp, err = s.first(ctx); err != nil {
			return err
		}
	}
	if err := s.check(*stamp); err != nil {
		return err
	}
	s.known = *stamp
	s.redis.Expect(stamp)
	s.ready.Store(true)
	return nil
}

// check holds a stamp against the settings.
func (s *Stamps) check(stamp redisstore.Stamp) error {
	want := s.want
	want.Generation = stamp.Generation
	if stamp == want {
		return nil
	}
	return fmt.Errorf("%w: %w: they have %s; this process has format %d, %d shards, zone %s", redisstore.ErrStamp,
		ErrOther, stamp, want.Format, want.Shards, want.Zone)
}

// first stamps stores that nobody has used.
func (s *Stamps) first(ctx context.Context) (*redisstore.Stamp, error) {
	there, _, err := s.redis.Stamps(ctx)
	if err != nil {
		return nil, err
	}
	if there != nil {
		return nil, fmt.Errorf("%w: %w: Redis has %s, and the table no stamp at all: it is another table",
			redisstore.ErrStamp, ErrOther, *there)
	}
	stamp := s.want
	stamp.Generation = newGeneration()
	if err := s.state.Begin(ctx); err != nil { // before the stamp, without which nothing arrives
		return nil, fmt.Errorf("app: write when the journal begins: %w", err)
	}
	if stamp, err = s.state.PutFirst(ctx, stamp); err != nil {
		return nil, fmt.Errorf("app: write the stamp: %w", err)
	}
	if err := s.check(stamp); err != nil {
		return nil, err // somebody else was first
	}
	return &stamp, s.redis.WriteStamp(ctx, stamp)
}

// newGeneration returns a number of 40 bits that is not 0.
func newGeneration() int64 {
	var b [8]byte
	_, _ = rand.Read(b[3:]) // it never fails
	return int64(max(binary.BigEndian.Uint64(b[:]), 1))
}
