package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"
)

// Get reads items by their keys, of which there may be 100.
func (e *Embedded) Get(ctx context.Context, keys ...Key) ([]Item, error) {
	keys, err := checkKeys(keys)
	if err != nil {
		return nil, err
	}
	if len(keys) > maxKeys {
		return nil, fmt.Errorf("%w: %d", errKeys, len(keys))
	}
	found := make([]Item, 0, len(keys))
	err = e.view(ctx, "get", func(items *bbolt.Bucket) {
		for _, key := range keys {
			item, there := load(items, key)
			e.count(unitsOf(sizeOf(item), readUnit), 0)
			if there && !gone(item.Expires, e.now().Unix()) {
				found = append(found, item)
			}
		}
	})
	return found, err
}

// Descend reads a partition downwards.
func (e *Embedded) Descend(ctx context.Context, partition, below string, limit int) ([]Item, error) {
	found := []Item{}
	if below == "" || limit <= 0 {
		return found, nil // nothing is less than ""
	}
	bound := Key{partition, below}
	if err := checkKey(bound); err != nil {
		return nil, err
	}
	err := e.view(ctx, "descend", func(items *bbolt.Bucket) {
		var size int
		cursor := items.Cursor()
		start := keyBytes(bound)
		prefix := start[:len(start)-len(below)]
		var k, v []byte
		if at, _ := cursor.Seek(start); at == nil {
			k, v = cursor.Last()
		} else {
			k, v = cursor.Prev() // Seek finds what is not less
		}
		for ; bytes.HasPrefix(k, prefix) && len(found) < limit; k, v = cursor.Prev() {
			item := stored(Key{partition, string(k[len(prefix):])}, v)
			size += sizeOf(item)
			if !gone(item.Expires, e.now().Unix()) {
				found = append(found, item)
			}
		}
		e.count(unitsOf(size, readUnit), 0)
	})
	return found, err
}

func (e *Embedded) view(ctx context.Context, operation string, read func(items *bbolt.Bucket)) error {
	err := ctx.Err()
	if err == nil {
		err = e.db.View(func(tx *bbolt.Tx) error {
			read(tx.Bucket(itemsBucket))
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrUnavailable, operation, err)
	}
	return nil
}

// keyBytes is an item's key in the file.
func keyBytes(key Key) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(key.Partition)))
	return append(append(b, key.Partition...), key.Sort...)
}

// load reads an item, gone or not.
func load(items *bbolt.Bucket, key Key) (Item, bool) {
	value := items.Get(keyBytes(key))
	if value == nil {
		return Item{}, false
	}
	return stored(key, value), true
}

// stored is the item of a value in the file, whose bytes are the file's own until
// the transaction ends, so they are copied.
func stored(key Key, value []byte) Item {
	item := Item{Key: key, Data: []byte{}}
	if len(value) >= 8 {
		item.Expires = int64(binary.BigEndian.Uint64(value))
		item.Data = append(item.Data, value[8:]...)
	}
	return item
}
