package journal

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// A PendingBatch is the activities of one request or message that were accepted while
// Redis was unavailable, and are not admitted yet.
type PendingBatch struct {
	Arrival    board.Moment
	Activities []activity.Activity // as they were sent; At is 0 if they had no moment

	key  table.Key
	data []byte
}

// WritePending stores activities that arrived at a moment, to be admitted later. They do
// not expire. Repeating it stores another batch.
func (j *Journal) WritePending(ctx context.Context, arrival board.Moment, activities []activity.Activity) error {
	rows := make([]ledger.Row, len(activities))
	for i, a := range activities {
		rows[i].Activity = a
	}
	partition, sort := randomKey(arrival)
	key := table.Key{Partition: pendingPartition(partition), Sort: sort}
	if err := j.table.Put(ctx, table.Item{Key: key, Data: encode(key, rows)}); err != nil {
		return fmt.Errorf("journal: write pending activities: %w", err)
	}
	return nil
}

func pendingPartition(n int) string { return fmt.Sprintf("PENDING#%02d", n) }

// Pending returns the pending batches that arrived first, at most limit, in the order of
// their arrival.
func (j *Journal) Pending(ctx context.Context, limit int) ([]PendingBatch, error) {
	var found [partitions][]table.Item
	group, ctx := errgroup.WithContext(ctx)
	for p := range partitions {
		group.Go(func() (err error) {
			found[p], err = j.table.Ascend(ctx, pendingPartition(p), "", "~", limit)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, fmt.Errorf("journal: read pending activities: %w", err)
	}
	items := slices.Concat(found[:]...)
	slices.SortFunc(items, func(a, b table.Item) int { return cmp.Compare(a.Sort, b.Sort) })
	batches := make([]PendingBatch, min(limit, len(items)))
	for i := range batches {
		arrival, rows, err := entryOf(items[i])
		if err != nil {
			return nil, err
		}
		b := PendingBatch{Arrival: arrival, key: items[i].Key, data: items[i].Data}
		b.Activities = make([]activity.Activity, len(rows))
		for n := range rows {
			b.Activities[n] = rows[n].Activity
		}
		batches[i] = b
	}
	return batches, nil
}

// DeletePending deletes batches that were admitted. It can be repeated.
func (j *Journal) DeletePending(ctx context.Context, batches ...PendingBatch) error {
	keys := make([]table.Key, len(batches))
	for i, b := range batches {
		keys[i] = b.key
	}
	if err := j.table.Delete(ctx, keys...); err != nil {
		return fmt.Errorf("journal: delete pending activities: %w", err)
	}
	return nil
}
