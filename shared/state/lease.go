package state

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"laurel/shared/table"
)

// leaseFor is how long a lease holds that is not prolonged, as its holder was killed.
const leaseFor = 2 * time.Minute

// ErrHeld is returned by Hold if another process holds the lease.
var ErrHeld = errors.New("state: another process holds the lease")

// Hold takes the lease with a name, and prolongs it until release is called. The context
// that it returns ends when the lease is lost.
func (s *Store) Hold(ctx context.Context, name string) (context.Context, func(), error) {
	return s.hold(ctx, name, rand.Text(), 0)
}

// HoldAs takes a lease as Hold does, for one kind of work of which several runs may hold it
// at once. It ends some time after its release.
func (s *Store) HoldAs(
	ctx context.Context, name, kind string, after time.Duration,
) (within context.Context, release func(), err error) {
	return s.hold(ctx, name, kind, after)
}

func (s *Store) hold(
	ctx context.Context, name, holder string, after time.Duration,
) (context.Context, func(), error) {
	if err := s.lease(ctx, name, holder, leaseFor); err != nil {
		return nil, nil, err
	}
	within, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-within.Done():
				return
			case <-time.After(leaseFor / 4):
				if err := s.lease(within, name, holder, leaseFor); errors.Is(err, ErrHeld) {
					cancel(err)
				}
			}
		}
	}()
	return within, func() {
		cancel(nil)
		<-ended
		// A lease that is not given back ends by itself.
		_ = s.lease(context.WithoutCancel(ctx), name, holder, after)
	}, nil
}

// lease takes or prolongs a lease; for no time it gives it back.
func (s *Store) lease(ctx context.Context, name, holder string, d time.Duration) error {
	key := table.Key{Partition: "STATE", Sort: "lease#" + name}
	return s.change(ctx, key, 0, func(data []byte) ([]byte, error) {
		by, end, _ := strings.Cut(string(data), " ")
		until, err := strconv.ParseInt(end, 10, 64)
		now := s.now()
		switch {
		case len(data) > 0 && err != nil:
			return nil, damaged(key, err)
		case by != holder && now.UnixMilli() < until:
			return nil, fmt.Errorf("%w: %s, until %s", ErrHeld, name, time.UnixMilli(until).UTC().Format(time.RFC3339))
		}
		return fmt.Appendf(nil, "%s %d", holder, now.Add(d).UnixMilli()), nil
	})
}
