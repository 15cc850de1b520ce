package importer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/activity"
	"laurel/shared/core/ledger"
	"laurel/shared/run/app"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// So many activities are merged at a time, while as many are read: the more, the fewer times a ledger is
// written. So many profiles are written at a time, in each of so many workers.
const (
	activitiesAtOnce = 50_000
	profilesAtOnce   = 100
	profileWorkers   = 4
)

// maxTries is how often a batch is given to a store that is unavailable or busy, beside the client's
// own tries; with the pauses in between about 20 seconds.
const maxTries = 8

// writing writes rows in batches, while more are read.
type writing[T any] struct {
	group *errgroup.Group
	size  int
	batch []T
	write func([]T) error
}

// newWriting begins to write with some workers. Its context ends with the first batch that fails.
func newWriting[T any](ctx context.Context, workers, size int) (*writing[T], context.Context) {
	w := &writing[T]{size: size}
	w.group, ctx = errgroup.WithContext(ctx)
	w.group.SetLimit(workers)
	return w, ctx
}

// add takes one in; it waits when all workers are busy.
func (w *writing[T]) add(one T) {
	if w.batch = append(w.batch, one); len(w.batch) == w.size {
		w.flush()
	}
}

func (w *writing[T]) flush() {
	batch := w.batch
	w.batch = make([]T, 0, w.size)
	w.group.Go(func() error { return w.write(batch) })
}

// finish writes the rest. Its error is that of the first batch that failed, else that of reading.
func (w *writing[T]) finish(read error) error {
	if len(w.batch) > 0 {
		w.flush()
	}
	if failed := w.group.Wait(); failed != nil {
		return failed
	}
	return read
}

// merge merges a batch of activities, and again those that fail.
func (r *run) merge(ctx context.Context, batch []activity.Activity) error {
	return retry(ctx, func() error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		done, err := r.Stores(ctx, Part{Activities: batch, Now: r.Now})
		var failed []activity.Activity
		for i, status := range done.Statuses {
			if status == "" {
				failed = append(failed, batch[i])
				continue
			}
			if batch[i].Award != nil && (status == ledger.Counted || status == ledger.Duplicate) {
				r.awards++
			}
			r.summary.Receipts[status]++
			r.recorded.Add(1)
		}
		batch = append(failed, batch[len(done.Statuses):]...)
		return err
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
		case !errors.Is(err, table.ErrUnavailable) && !errors.Is(err, items.ErrBusy):
			return err
		case try == maxTries:
			return fmt.Errorf("tried %d times: %w", try, err)
		}
		if app.Sleep(ctx, min(100*time.Millisecond<<try, 5*time.Second)) != nil {
			return context.Cause(ctx)
		}
	}
}
