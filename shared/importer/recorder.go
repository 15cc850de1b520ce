package importer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/table"
)

// batchSize is how many activities are merged at a time, while as many are read: the more,
// the fewer times a ledger is written.
const batchSize = 50_000

// maxTries is how often a batch is given to a store that is unavailable or busy, beside the client's
// own tries; with the pauses in between about 20 seconds.
const maxTries = 8

// A Store merges activities into ledgers, and returns their results in their order;
// record.Recorder is one.
type Store interface {
	Merge(ctx context.Context, activities []activity.Activity, now board.Moment) []record.Result
}

// recorder gives activities to a store in batches, one while the next is read.
type recorder struct {
	store   Store
	now     board.Moment
	pending []activity.Activity
	queue   chan []activity.Activity
	wg      sync.WaitGroup
	ctx     context.Context //nolint:containedctx // the worker's own: it ends when that fails
	fail    context.CancelCauseFunc

	recorded atomic.Int64
	receipts map[ledger.Status]int
}

func startRecorder(ctx context.Context, store Store, now board.Moment) *recorder {
	r := &recorder{store: store, now: now, queue: make(chan []activity.Activity), receipts: map[ledger.Status]int{}}
	r.ctx, r.fail = context.WithCancelCause(ctx)
	r.wg.Go(func() {
		for batch := range r.queue {
			if err := r.record(batch); err != nil {
				r.fail(err)
			}
		}
	})
	return r
}

// add takes an activity in; it waits when the store is behind. The error is why
// recording has ended.
func (r *recorder) add(a activity.Activity) error {
	r.pending = append(r.pending, a)
	if len(r.pending) < batchSize {
		return nil
	}
	return r.send()
}

func (r *recorder) send() error {
	select {
	case r.queue <- r.pending:
		r.pending = make([]activity.Activity, 0, batchSize)
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// finish records what has been taken in and ends the worker. The error is why
// not everything was recorded.
func (r *recorder) finish() error {
	if len(r.pending) > 0 {
		_ = r.send() // the context has its error
	}
	close(r.queue)
	r.wg.Wait()
	defer r.fail(nil)
	return context.Cause(r.ctx)
}

// record records a batch, and what fails again.
func (r *recorder) record(batch []activity.Activity) error {
	return retry(r.ctx, func() (why error) {
		var failed []activity.Activity
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		for i, result := range r.store.Merge(r.ctx, batch, r.now) {
			if result.Err == nil {
				r.receipts[result.Status]++
				r.recorded.Add(1)
				continue
			}
			failed = append(failed, batch[i])
			if why == nil || errors.Is(result.Err, codec.ErrDamaged) { // a later try does not change that
				why = result.Err
			}
		}
		batch = failed
		return why
	})
}

// retry calls do until it succeeds. It pauses longer after each try, and gives up when
// the store is neither unavailable nor busy, after maxTries, or with the context.
func retry(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !errors.Is(err, table.ErrUnavailable) && !errors.Is(err, record.ErrBusy):
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
