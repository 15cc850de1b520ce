package journal

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// readItems is the limit of one read.
const readItems = 200

// Read calls take with the rows of the entries that arrived from one moment on and before
// another, one call at a time: hour by hour, in no order within an hour, as its partitions
// are read in parallel. It ends at the first error. The rows of an entry that is put again
// in the meantime are its former or its new ones.
func (j *Journal) Read(
	ctx context.Context, from, until board.Moment, take func(arrival board.Moment, rows []ledger.Row) error,
) error {
	for hour := hourOf(from); hour <= hourOf(until-1); hour++ {
		var mu sync.Mutex
		var taken error
		err := j.readHour(ctx, hour, from, until, func(_ context.Context, item table.Item) error {
			arrival, rows, err := entryOf(item)
			if err != nil || len(rows) == 0 {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if taken == nil {
				taken = take(arrival, rows)
			}
			return taken
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// readHour calls take with the items of an hour that arrived from one moment on and before
// another, several at once: its partitions are read in parallel.
func (j *Journal) readHour(
	ctx context.Context, hour int64, from, until board.Moment, take func(context.Context, table.Item) error,
) error {
	group, ctx := errgroup.WithContext(ctx)
	after, last := sortKey(from), sortKey(until)
	for p := range partitions {
		group.Go(func() error {
			return j.readPartition(ctx, hourPartition(hour, p), after, last,
				func(item table.Item) error { return take(ctx, item) })
		})
	}
	return group.Wait()
}

// readPartition calls take with the items of a partition after one sort key and up to
// another, in order.
func (j *Journal) readPartition(
	ctx context.Context, partition, after, last string, take func(table.Item) error,
) error {
	for {
		items, err := j.table.Ascend(ctx, partition, after, last, readItems)
		if err != nil {
			return fmt.Errorf("journal: read %s: %w", partition, err)
		}
		for _, item := range items {
			after = item.Sort
			if err := take(item); err != nil {
				return err
			}
		}
		if len(items) < readItems {
			return nil
		}
	}
}

// entryOf decodes an item and its arrival.
func entryOf(item table.Item) (board.Moment, []ledger.Row, error) {
	arrival, err := arrivalOf(item.Key)
	if err != nil {
		return 0, nil, err
	}
	rows, err := decode(item)
	return arrival, rows, err
}
