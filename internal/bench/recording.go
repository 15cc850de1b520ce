package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// connections is how many work at once where single commands are compared, few
// where whole batches are: more would only wait for each other.
const (
	connections = 32
	few         = 8
	batch       = 100
)

// A side is one way of doing something; it returns how many events it did.
type side struct {
	name    string
	workers int
	do      func(ctx context.Context, rng *rand.Rand) (events int, err error)

	perSecond []float64 // by round
	cpu       []float64 // microseconds of Redis for an event, by round
}

// recorder makes activities of users in the middle of their month.
type recorder struct {
	*bench
	active int
	n      atomic.Int64
}

func (r *recorder) activities(rng *rand.Rand, n int) []activity.Activity {
	acts := make([]activity.Activity, n)
	for i := range acts {
		next := int(r.n.Add(1)) + activeEntries
		acts[i] = monthly(userID(rng.IntN(r.active)), next, r.now-board.Moment(rng.IntN(60_000)))
	}
	return acts
}

func (r *recorder) laurel(size int) func(context.Context, *rand.Rand) (int, error) {
	return func(ctx context.Context, rng *rand.Rand) (int, error) {
		acts := r.activities(rng, size)
		for _, result := range r.store.Record(ctx, acts, ledger.Arrival{Now: r.now}) {
			if result.Err != nil {
				return 0, result.Err
			}
		}
		return size, nil
	}
}

// sevenCalls is what such systems usually do for an activity, one after the other.
func (r *recorder) sevenCalls(ctx context.Context, rng *rand.Rand) (int, error) {
	a := r.activities(rng, 1)[0]
	c, key := r.client, plainUser(a.User)
	for _, call := range []func() error{
		func() error { return missing(c.HGet(ctx, key, plainField(a)).Err()) },
		func() error { return c.HSet(ctx, key, plainField(a), int64(a.At)).Err() },
		func() error { return c.Expire(ctx, key, 62*24*time.Hour).Err() },
		func() error { return c.ZIncrBy(ctx, plainDay, 2, a.User).Err() },
		func() error { return c.ZIncrBy(ctx, plainMonth, 2, a.User).Err() },
		func() error { return c.TTL(ctx, plainDay).Err() },
		func() error { return c.TTL(ctx, plainMonth).Err() },
	} {
		if err := call(); err != nil {
			return 0, err
		}
	}
	return 1, nil
}

// missing lets pass that there was nothing yet.
func missing(err error) error {
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return err
}

// pipeline writes a batch blindly in one round trip.
func (r *recorder) pipeline(ctx context.Context, rng *rand.Rand) (int, error) {
	pipe := r.client.Pipeline()
	for _, a := range r.activities(rng, batch) {
		pipe.HSet(ctx, plainUser(a.User), plainField(a), int64(a.At))
		pipe.ZIncrBy(ctx, plainDay, 2, a.User)
		pipe.ZIncrBy(ctx, plainMonth, 2, a.User)
	}
	_, err := pipe.Exec(ctx)
	return batch, err
}

// recording compares recording with the plain sides on boards of so many users.
func (b *bench) recording(ctx context.Context, users, active int) error {
	r := &recorder{bench: b, active: active}
	seven := &side{name: "seven plain calls in sequence", workers: connections, do: r.sevenCalls}
	single := &side{name: "single activities", workers: connections, do: r.laurel(1)}
	batches := &side{name: "batches of 100", workers: connections, do: r.laurel(batch)}
	fewBatches := &side{name: "batches of 100", workers: few, do: r.laurel(batch)}
	plain := &side{name: "plain pipeline of 100", workers: few, do: r.pipeline}
	sides := []*side{seven, batches, single, fewBatches, plain}
	if err := b.compare(ctx, sides); err != nil {
		return err
	}
	atLeast, atMost := 0.6, 1.4
	if users < 100_000 {
		atLeast, atMost = 0.25, 2.5
	}
	t := &b.table
	t.section(fmt.Sprintf("recording, boards of %s users", thousands(users)))
	for _, s := range sides {
		t.figure(fmt.Sprintf("%s, %d connections", s.name, s.workers),
			fmt.Sprintf("%s/s, Redis CPU %.1f us each", thousands(int(median(clone(s.perSecond)))), median(clone(s.cpu))))
	}
	t.least("batches against the seven calls, events/s", ratio(batches.perSecond, seven.perSecond), 2.2)
	t.least("single activities against the seven calls, events/s", ratio(single.perSecond, seven.perSecond), 1)
	t.least("batches against the plain pipeline, events/s", ratio(fewBatches.perSecond, plain.perSecond), atLeast)
	t.most("batches against the plain pipeline, Redis CPU an event", ratio(fewBatches.cpu, plain.cpu), atMost)
	return nil
}

// compare lets the sides take turns, a first one unmeasured.
func (b *bench) compare(ctx context.Context, sides []*side) error {
	d, rounds := b.turn()
	for round := range rounds + 1 {
		for _, s := range sides {
			if err := b.take(ctx, s, d, round > 0); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

// take is one side's turn.
func (b *bench) take(ctx context.Context, s *side, d time.Duration, measured bool) error {
	before, err := b.redisCPU(ctx)
	if err != nil {
		return err
	}
	start := time.Now()
	var events atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
			for time.Since(start) < d && failed.Load() == nil {
				n, err := s.do(ctx, rng)
				if err != nil {
					failed.Store(&err)
				}
				events.Add(int64(n))
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	if err := failed.Load(); err != nil {
		return *err
	}
	after, err := b.redisCPU(ctx)
	if measured {
		s.perSecond = append(s.perSecond, float64(events.Load())/took.Seconds())
		s.cpu = append(s.cpu, float64((after-before).Microseconds())/float64(events.Load()))
	}
	return err
}

// redisCPU is how much CPU the server has used so far.
func (b *bench) redisCPU(ctx context.Context) (time.Duration, error) {
	info, err := b.client.Info(ctx, "cpu").Result()
	if err != nil {
		return 0, err
	}
	var sum float64
	for line := range strings.Lines(info) {
		var seconds float64
		for _, field := range []string{"used_cpu_sys:%f", "used_cpu_user:%f"} {
			if n, _ := fmt.Sscanf(line, field, &seconds); n == 1 {
				sum += seconds
			}
		}
	}
	return time.Duration(sum * float64(time.Second)), nil
}
