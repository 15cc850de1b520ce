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
	return s.get(ctx, keys, 1)
}

// GetEventually is Get for half of the units.
func (s *Store) GetEventually(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return s.get(ctx, keys, 0.5)
}

func (s *Store) get(ctx context.Context, keys []table.Key, units float64) ([]table.Item, error) {
	keys, err := table.Readable(keys)
	if err != nil {
		return nil, err
	}
	found := make([]table.Item, 0, len(keys))
	err = s.view(ctx, "get", func(items *bbolt.Bucket) {
		for _, key := range keys {
			item, there := load(items, key)
			s.meter.Count(units*table.ReadUnits(item.Size()), 0)
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
		cursor := items.Cursor()
		var k, v []byte
		if at, _ := cursor.Seek(keyBytes(bound)); at == nil {
			k, v = cursor.Last()
		} else {
			k, v = cursor.Prev() // Seek finds the first that is not less
		}
		found = s.collect(partition, limit, k, v, cursor.Prev)
	})
	return found, err
}

// Ascend reads the items of a partition in ascending order.
func (s *Store) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	found := []table.Item{}
	first, ok, err := table.Between(partition, after, last, limit)
	if !ok || err != nil {
		return found, err
	}
	err = s.view(ctx, "ascend", func(items *bbolt.Bucket) {
		cursor := items.Cursor()
		end := keyBytes(table.Key{Partition: partition, Sort: last})
		upTo := func(k, v []byte) ([]byte, []byte) {
			if bytes.Compare(k, end) > 0 {
				return nil, nil
			}
			return k, v
		}
		k, v := upTo(cursor.Seek(keyBytes(first)))
		found = s.collect(partition, limit, k, v, func() ([]byte, []byte) { return upTo(cursor.Next()) })
	})
	return found, err
}

// collect returns the items of a partition from a key and value of the file on.
func (s *Store) collect(partition string, limit int, k, v []byte, next func() (k, v []byte)) []table.Item {
	found := []table.Item{}
	prefix := keyBytes(table.Key{Partition: partition})
	var size int
	for ; bytes.HasPrefix(k, prefix) && len(found) < limit; k, v = next() {
		item := stored(table.Key{Partition: partition, Sort: string(k[len(prefix):])}, v)
		size += item.Size()
		if !item.Gone(s.now().Unix()) {
			found = append(found, item)
		}
	}
	s.meter.Count(table.ReadUnits(size), 0)
	return found
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
	if len(value) >= headLen+sumLen {
		item.Expires = int64(binary.BigEndian.Uint64(value))
		item.Revision = int64(binary.BigEndian.Uint64(value[8:]))
		item.Data = append(item.Data, value[headLen:len(value)-sumLen]...)
	}
	return item
}
