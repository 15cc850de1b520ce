package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"laurel/shared/core/codec"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// A Table calls hooks at its calls, can be unavailable, knows its written items, and can be put back to earlier ones.
type Table struct {
	items.Table
	Calls
	Unavailable atomic.Bool
	mu          sync.Mutex // guards the fields below
	keys        map[table.Key]bool
}

// unavailable returns the error of a table that is unavailable.
func (w *Table) unavailable() error {
	if w.Unavailable.Load() {
		return fmt.Errorf("%w: the secret of the store", table.ErrUnavailable)
	}
	return nil
}

// known is the error of a call, which is that of an unavailable table if nothing is known of it.
func known(err error) error {
	if unknown(err) {
		return fmt.Errorf("%w: %w", table.ErrUnavailable, err)
	}
	return err
}

// read does one read.
func (w *Table) read(get func() ([]table.Item, error)) (rows []table.Item, err error) {
	w.Reads.Add(1)
	if err := w.unavailable(); err != nil {
		return nil, err
	}
	err = known(w.call(Call{}, 1, func(int) error { rows, err = get(); return err }))
	return rows, err
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

// AscendEventually reads items of a partition.
func (w *Table) AscendEventually(
	ctx context.Context, partition, after, last string, limit int,
) ([]table.Item, error) {
	w.Halves.Add(1)
	return w.read(func() ([]table.Item, error) { return w.Table.AscendEventually(ctx, partition, after, last, limit) })
}

// write makes a write of keys, of which do makes the first n of all.
func (w *Table) write(keys []table.Key, all int, do func(n int) error) error {
	call := Call{Writes: w.Writes.Add(1), Keys: keys}
	w.mu.Lock()
	if w.keys == nil {
		w.keys = map[table.Key]bool{}
	}
	for _, key := range keys {
		w.keys[key] = true
	}
	w.mu.Unlock()
	if err := w.unavailable(); err != nil {
		return err
	}
	return known(w.call(call, all, do))
}

func keysOfWrites(writes []table.Write) (keys []table.Key) {
	for _, w := range writes {
		keys = append(keys, w.Key)
	}
	return keys
}

// written returns the keys of every item that was written through the table.
func (w *Table) written() []table.Key {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.keys))
}

// Items returns every item that was written through the table and is there.
func (w *Table) Items(ctx context.Context) (all []table.Item, err error) {
	for chunk := range slices.Chunk(w.written(), table.MaxKeys) {
		rows, err := w.Table.Get(ctx, chunk...)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// Restore puts earlier items in the place of all, beside those who use the table.
func (w *Table) Restore(ctx context.Context, earlier []table.Item) error {
	err := w.Table.Delete(ctx, w.written()...)
	for _, item := range earlier {
		err = errors.Join(err, w.Table.Write(ctx, table.Write{Item: item})[0].Err)
	}
	return err
}

// Grep returns the keys of items that have an id.
func (w *Table) Grep(tb testing.TB, id string) (found []string) {
	tb.Helper()
	rows := Must(w.Items(tb.Context()))(tb)
	for _, item := range rows {
		if holds(tb, item, id) {
			found = append(found, item.String())
		}
	}
	return found
}

// holds says whether an item has an id, as text or in the short form of numbers and UUIDs, in its key
// or its value, compressed or not.
func holds(tb testing.TB, item table.Item, id string) bool {
	tb.Helper()
	data := slices.Concat([]byte(item.Partition+" "+item.Sort+" "), item.Data)
	if offset := bytes.Index(item.Data, []byte{0x28, 0xb5, 0x2f, 0xfd}); offset >= 0 { // a frame of zstd, to the end
		opened, err := table.Decompress(item.Data[offset:])
		if err != nil {
			tb.Fatalf("%s cannot be decompressed: %v", item.Key, err)
		}
		data = append(data, opened...)
	}
	short := codec.AppendID(nil, id)[1:]
	return bytes.Contains(data, []byte(id)) || len(short) >= 8 && bytes.Contains(data, short)
}

// Delete deletes items.
func (w *Table) Delete(ctx context.Context, keys ...table.Key) error {
	return w.write(keys, len(keys), func(n int) error { return w.Table.Delete(ctx, keys[:n]...) })
}

// Write writes items.
func (w *Table) Write(ctx context.Context, writes ...table.Write) (all []table.Outcome) {
	err := w.write(keysOfWrites(writes), len(writes), func(n int) error {
		all = w.Table.Write(ctx, writes[:n]...)
		return nil
	})
	if err != nil {
		return slices.Repeat([]table.Outcome{{Err: err}}, len(writes))
	}
	return all
}

// Together writes items, all or none.
func (w *Table) Together(ctx context.Context, writes ...table.Write) error {
	return w.write(keysOfWrites(writes), 1, func(int) error { return w.Table.Together(ctx, writes...) })
}
