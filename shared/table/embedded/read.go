package embedded

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"laurel/shared/table"
)

// Get reads items by their keys, at most 100.
func (s *Store) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	keys, err := table.Readable(keys)
	if err != nil {
		return nil, err
	}
	found := make([]table.Item, 0, len(keys))
	err = s.view(ctx, "get", func(items *bbolt.Bucket) {
		for _, key := range keys {
			item, there := load(items, key)
			s.meter.Count(table.ReadUnits(item.Size()), 0)
			if there && !item.Gone(s.now().Unix()) {
				found = append(found, item)
			}
		}
	})
	return found, err
}

// Descend reads the items of a partition in descending order.
func (s *Store) Descend(ctx context.Context, partition, below string, limit int) ([]table.Item, error) {
	found := []table.Item{}
	if below == "" || limit <= 0 {
		return found, nil // nothing is less than ""
	}
	bound := table.Key{Partition: partition, Sort: below}
	if err := bound.Check(); err != nil {
		return nil, err
	}
	err := s.view(ctx, "descend", func(items *bbolt.Bucket) {
		var size int
		cursor := items.Cursor()
		start := keyBytes(bound)
		prefix := start[:len(start)-len(below)]
		var k, v []byte
		if at, _ := cursor.Seek(start); at == nil {
			k, v = cursor.Last()
		} else {
			k, v = cursor.Prev() // Seek finds the first that is not less
		}
		for ; bytes.HasPrefix(k, prefix) && len(found) < limit; k, v = cursor.Prev() {
			item := stored(table.Key{Partition: partition, Sort: string(k[len(prefix):])}, v)
			size += item.Size()
			if !item.Gone(s.now().Unix()) {
				found = append(found, item)
			}
		}
		s.meter.Count(table.ReadUnits(size), 0)
	})
	return found, err
}

func (s *Store) view(ctx context.Context, operation string, read func(items *bbolt.Bucket)) error {
	err := ctx.Err()
	if err == nil {
		err = s.db.View(func(tx *bbolt.Tx) error {
			read(tx.Bucket(itemsBucket))
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", table.ErrUnavailable, operation, err)
	}
	return nil
}

// keyBytes returns an item's key in the file.
func keyBytes(key table.Key) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(key.Partition)))
	return append(append(b, key.Partition...), key.Sort...)
}

// load reads an item, expired or not.
func load(items *bbolt.Bucket, key table.Key) (table.Item, bool) {
	value := items.Get(keyBytes(key))
	if value == nil {
		return table.Item{}, false
	}
	return stored(key, value), true
}

// stored returns the item of a value in the file. It copies the bytes, which are only
// valid until the transaction ends.
func stored(key table.Key, value []byte) table.Item {
	item := table.Item{Key: key, Data: []byte{}}
	if len(value) >= 8 {
		item.Expires = int64(binary.BigEndian.Uint64(value))
		item.Data = append(item.Data, value[8:]...)
	}
	return item
}
