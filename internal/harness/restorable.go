package harness

import (
	"context"
	"sync"
	"time"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/table/embedded"
)

// A Restorable is a table in memory that can be put back to an earlier moment, beside those who use it.
type Restorable struct {
	mu   sync.RWMutex
	now  *embedded.Store
	keys map[table.Key]bool // that were ever written
}

// NewRestorable makes one that is empty.
func NewRestorable() *Restorable {
	return &Restorable{now: embedded.New(time.Now), keys: map[table.Key]bool{}}
}

var _ items.Table = (*Restorable)(nil)

// A Backup is the items of a table, at a moment.
type Backup []table.Item

// Backup copies all items.
func (r *Restorable) Backup(ctx context.Context) (all Backup, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key := range r.keys {
		rows, err := r.now.Get(ctx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Restore puts a backup in the place of all items.
func (r *Restorable) Restore(ctx context.Context, all Backup) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := embedded.New(time.Now)
	for _, item := range all {
		if err := next.Write(ctx, table.Write{Item: item})[0].Err; err != nil {
			return err
		}
	}
	r.now = next
	return nil
}

func (r *Restorable) table() *embedded.Store {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.now
}

// wrote notes keys.
func (r *Restorable) wrote(writes []table.Write) *embedded.Store {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range writes {
		r.keys[w.Key] = true
	}
	return r.now
}

// Get reads items by their keys.
func (r *Restorable) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return r.table().Get(ctx, keys...)
}

// GetEventually reads items by their keys.
func (r *Restorable) GetEventually(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return r.table().GetEventually(ctx, keys...)
}

// Descend reads items of a partition.
func (r *Restorable) Descend(ctx context.Context, partition, below string, limit int) ([]table.Item, error) {
	return r.table().Descend(ctx, partition, below, limit)
}

// Ascend reads items of a partition.
func (r *Restorable) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	return r.table().Ascend(ctx, partition, after, last, limit)
}

// AscendEventually reads items of a partition.
func (r *Restorable) AscendEventually(
	ctx context.Context, partition, after, last string, limit int,
) ([]table.Item, error) {
	return r.table().AscendEventually(ctx, partition, after, last, limit)
}

// Write applies each write by itself.
func (r *Restorable) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	return r.wrote(writes).Write(ctx, writes...)
}

// Together applies all writes, or none.
func (r *Restorable) Together(ctx context.Context, writes ...table.Write) error {
	return r.wrote(writes).Together(ctx, writes...)
}

// Delete removes items.
func (r *Restorable) Delete(ctx context.Context, keys ...table.Key) error {
	return r.table().Delete(ctx, keys...)
}

// Close closes the table.
func (r *Restorable) Close() error { return r.table().Close() }
