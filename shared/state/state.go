package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"time"

	"laurel/shared/table"
)

// ErrDamaged is wrapped by the errors about items that this package has not written.
var ErrDamaged = errors.New("state: damaged item")

const (
	partitions  = 16        // of users and of articles
	readLen     = 1_000     // items that one read returns
	maxAttempts = 256       // of a compare and swap
	removedFor  = time.Hour // for how long a removed item stays, without data, so that a swap meets it
)

// afterAll is after every sort key.
const afterAll = "\U0010FFFF"

// A Store is the state in a table. It is safe for concurrent use.
type Store struct {
	table table.Store
	now   func() time.Time
	keep  time.Duration // tombstones
}

// New returns the state in a table.
func New(items table.Store, now func() time.Time) *Store {
	return &Store{items, now, defaultTombstones}
}

// numbered returns a key in one of the partitions with a name.
func numbered(name, id string) table.Key {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return table.Key{Partition: partition(name, int(h.Sum32()%partitions)), Sort: id}
}

func partition(name string, n int) string { return fmt.Sprintf("%s#%02d", name, n) }

// get returns the data of an item, nil for none.
func (s *Store) get(ctx context.Context, key table.Key) ([]byte, error) {
	items, err := s.table.Get(ctx, key)
	if err != nil || len(items) == 0 {
		return nil, wrap("read", key, err)
	}
	return items[0].Data, nil
}

// change replaces the data of an item by what decide makes of it, again while others come
// between. Removing an item leaves one without data for a while. expires is when the item
// expires, 0 for never.
func (s *Store) change(ctx context.Context, key table.Key, expires int64,
	decide func(data []byte) ([]byte, error),
) (err error) {
	for range maxAttempts {
		var old, next []byte
		if old, err = s.get(ctx, key); err != nil {
			return err
		}
		if next, err = decide(old); err != nil || bytes.Equal(next, old) {
			return err
		}
		item := table.Item{Key: key, Data: next, Expires: expires}
		if len(next) == 0 {
			item.Data, item.Expires = []byte{}, s.now().Add(removedFor).Unix()
		}
		if err = s.table.Replace(ctx, item, old); !errors.Is(err, table.ErrExists) {
			break
		}
	}
	return wrap("write", key, err)
}

// each returns the items of all partitions with a name, in the order of their sort keys
// within a partition.
func (s *Store) each(ctx context.Context, name string) iter.Seq2[table.Item, error] {
	return func(yield func(table.Item, error) bool) {
		for n := range partitions {
			for item, err := range s.items(ctx, partition(name, n)) {
				if !yield(item, err) || err != nil {
					return
				}
			}
		}
	}
}

// items returns the items of a partition.
func (s *Store) items(ctx context.Context, part string) iter.Seq2[table.Item, error] {
	return func(yield func(table.Item, error) bool) {
		for after := ""; ; {
			some, err := s.table.Ascend(ctx, part, after, afterAll, readLen)
			if err != nil {
				yield(table.Item{}, wrap("list", table.Key{Partition: part}, err))
				return
			}
			for _, item := range some {
				after = item.Sort
				if len(item.Data) > 0 && !yield(item, nil) {
					return
				}
			}
			if len(some) < readLen {
				return
			}
		}
	}
}

func wrap(operation string, key table.Key, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("state: %s %s: %w", operation, key.Partition, err)
}

func damaged(key table.Key, err error) error { return fmt.Errorf("%w: %s: %w", ErrDamaged, key, err) }
