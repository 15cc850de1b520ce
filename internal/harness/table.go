package harness

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"laurel/shared/codec"
	"laurel/shared/records"
	"laurel/shared/table"
)

// A Table counts its reads and writes, can be unavailable, lets something happen after a read, and knows
// what was written to it.
type Table struct {
	records.Table
	Reads       atomic.Int64
	Writes      atomic.Int64
	Unavailable atomic.Bool
	After       map[int64]func() // by which read; the first that is reached is the only one
	mu          sync.Mutex       // of what follows and of After
	keys        map[table.Key]bool
}

// unavailable returns the error of a table that is unavailable.
func (w *Table) unavailable() error {
	if w.Unavailable.Load() {
		return fmt.Errorf("%w: the secret of the store", table.ErrUnavailable)
	}
	return nil
}

// read does one read.
func (w *Table) read(get func() ([]table.Item, error)) ([]table.Item, error) {
	n := w.Reads.Add(1)
	if err := w.unavailable(); err != nil {
		return nil, err
	}
	if do := w.take(n); do != nil {
		defer do()
	}
	return get()
}

// take is what is to happen after read n, if anything, and nothing after others from then on.
func (w *Table) take(n int64) func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	do := w.After[n]
	if do != nil {
		w.After = nil
	}
	return do
}

// Get reads items by their keys.
func (w *Table) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return w.read(func() ([]table.Item, error) { return w.Table.Get(ctx, keys...) })
}

// GetEventually reads items by their keys.
func (w *Table) GetEventually(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return w.read(func() ([]table.Item, error) { return w.Table.GetEventually(ctx, keys...) })
}

// Descend reads items of a partition.
func (w *Table) Descend(ctx context.Context, partition, below string, limit int) ([]table.Item, error) {
	return w.read(func() ([]table.Item, error) { return w.Table.Descend(ctx, partition, below, limit) })
}

// Ascend reads items of a partition.
func (w *Table) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	return w.read(func() ([]table.Item, error) { return w.Table.Ascend(ctx, partition, after, last, limit) })
}

// write notes keys that are written.
func (w *Table) write(keys ...table.Key) error {
	w.Writes.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.keys == nil {
		w.keys = map[table.Key]bool{}
	}
	for _, key := range keys {
		w.keys[key] = true
	}
	return w.unavailable()
}

func keysOfWrites(writes []table.Write) (keys []table.Key) {
	for _, w := range writes {
		keys = append(keys, w.Key)
	}
	return keys
}

// Items returns every item that was written through the table and is there.
func (w *Table) Items(ctx context.Context) (all []table.Item, err error) {
	w.mu.Lock()
	keys := slices.Collect(maps.Keys(w.keys))
	w.mu.Unlock()
	for chunk := range slices.Chunk(keys, table.MaxKeys) {
		items, err := w.Table.Get(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

// Grep returns the keys of items that have an id.
func (w *Table) Grep(tb testing.TB, id string) (found []string) {
	tb.Helper()
	items, err := w.Items(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	for _, item := range items {
		if Holds(tb, item, id) {
			found = append(found, item.String())
		}
	}
	return found
}

// Holds says whether an item has an id, as text or in the short form of numbers and UUIDs, in its key
// or its value, compressed or not.
func Holds(tb testing.TB, item table.Item, id string) bool {
	tb.Helper()
	data := slices.Concat([]byte(item.Partition+" "+item.Sort+" "), item.Data)
	if at := bytes.Index(item.Data, []byte{0x28, 0xb5, 0x2f, 0xfd}); at >= 0 { // a frame of zstd, to the end
		opened, err := table.Decompress(item.Data[at:])
		if err != nil {
			tb.Fatalf("%s cannot be decompressed: %v", item.Key, err)
		}
		data = append(data, opened...)
	}
	short := codec.AppendID(nil, id)[1:]
	return bytes.Contains(data, []byte(id)) || len(short) >= 8 && bytes.Contains(data, short)
}

// Put writes an item once.
func (w *Table) Put(ctx context.Context, item table.Item) error {
	if err := w.write(item.Key); err != nil {
		return err
	}
	return w.Table.Put(ctx, item)
}

// Replace writes an item in place of another.
func (w *Table) Replace(ctx context.Context, item table.Item, old []byte) error {
	if err := w.write(item.Key); err != nil {
		return err
	}
	return w.Table.Replace(ctx, item, old)
}

// Delete deletes items.
func (w *Table) Delete(ctx context.Context, keys ...table.Key) error {
	if err := w.write(); err != nil {
		return err
	}
	return w.Table.Delete(ctx, keys...)
}

// Write writes items.
func (w *Table) Write(ctx context.Context, writes ...table.Write) []table.Outcome {
	if err := w.write(keysOfWrites(writes)...); err != nil {
		return slices.Repeat([]table.Outcome{{Err: err}}, len(writes))
	}
	return w.Table.Write(ctx, writes...)
}

// Together writes items, all or none.
func (w *Table) Together(ctx context.Context, writes ...table.Write) error {
	if err := w.write(keysOfWrites(writes)...); err != nil {
		return err
	}
	return w.Table.Together(ctx, writes...)
}
