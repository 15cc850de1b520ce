package importer

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"laurel/shared/activity"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

const (
	workers   = 4
	batchSize = 2_000
	minPiece  = 50 // a batch that failed is tried in smaller pieces, down to this
)

// maxTries is how often a piece is given to a store that is unavailable or busy, beside
// the client's own tries; with the pauses in between about 20 seconds.
const maxTries = 8

// A Store records activities; live.Store is one.
type Store interface {
	Record(ctx context.Context, activities []activity.Activity, arrival ledger.Arrival) []pages.Result
}

// recorder gives activities to a store in batches. Users are divided among workers, so
// that no two workers wait for the lock of the same user.
type recorder struct {
	store   Store
	arrival ledger.Arrival
	seed    maphash.Seed
	pending [workers][]activity.Activity
	queues  [workers]chan []activity.Activity
	wg      sync.WaitGroup
	ctx     context.Context //nolint:containedctx // the workers' own: it ends when one of them fails
	fail    context.CancelCauseFunc

	recorded atomic.Int64
	mu       sync.Mutex
	receipts map[ledger.Status]int
}

func startRecorder(ctx context.Context, store Store, arrival ledger.Arrival) *recorder {
	r := &recorder{store: store, arrival: arrival, seed: maphash.MakeSeed(), receipts: map[ledger.Status]int{}}
	r.ctx, r.fail = context.WithCancelCause(ctx)
	for i := range r.queues {
		r.queues[i] = make(chan []activity.Activity, 1)
		r.wg.Go(func() {
			for batch := range r.queues[i] {
				if err := r.record(batch); err != nil {
					r.fail(err)
				}
			}
		})
	}
	return r
}

// add takes an activity in; it waits when the store is behind. The error is why
// recording has ended.
func (r *recorder) add(a activity.Activity) error {
	i := maphash.String(r.seed, a.User) % workers
	r.pending[i] = append(r.pending[i], a)
	if len(r.pending[i]) < batchSize {
		return nil
	}
	return r.send(int(i))
}

func (r *recorder) send(i int) error {
	select {
	case r.queues[i] <- r.pending[i]:
		r.pending[i] = make([]activity.Activity, 0, batchSize)
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// finish records what has been taken in and ends the workers. The error is why
// not everything was recorded.
func (r *recorder) finish() error {
	for i := range r.queues {
		if len(r.pending[i]) > 0 {
			if err := r.send(i); err != nil {
				break
			}
		}
	}
	for _, queue := range r.queues {
		close(queue)
	}
	r.wg.Wait()
	defer r.fail(nil)
	return context.Cause(r.ctx)
}

// record records a batch. It tries what fails again, in smaller pieces.
func (r *recorder) record(batch []activity.Activity) error {
	size := batchSize
	return retry(r.ctx, func() (why error) {
		var failed []activity.Activity
		for piece := range slices.Chunk(batch, size) {
			if r.ctx.Err() != nil {
				break
			}
			again, err := r.recordPiece(piece)
			failed = append(failed, again...)
			if err != nil {
				why = err
			}
		}
		batch, size = failed, max(minPiece, size/2)
		return why
	})
}

// recordPiece returns the activities without a receipt, and their error; of several
// errors the one that a later try does not change.
func (r *recorder) recordPiece(piece []activity.Activity) (failed []activity.Activity, why error) {
	results := r.store.Record(r.ctx, piece, r.arrival)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, result := range results {
		if result.Err != nil {
			failed = append(failed, piece[i])
			if why == nil || errors.Is(result.Err, redisstore.ErrStored) {
				why = result.Err
			}
			continue
		}
		r.receipts[result.Status]++
		r.recorded.Add(1)
	}
	return failed, why
}

// retry calls do until it succeeds. It pauses longer after each try, and gives up when
// the store is neither unavailable nor busy, after maxTries, or with the context.
func retry(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.Is(err, redisstore.ErrUnavailable) && !errors.Is(err, redisstore.ErrBusy):
			return err
		case try == maxTries:
			return fmt.Errorf("tried %d times: %w", try, err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(100*time.Millisecond<<try, 5*time.Second)):
		}
	}
}
