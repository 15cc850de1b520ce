package embedded

import (
	"bytes"
	"encoding/binary"
	"iter"

	"go.etcd.io/bbolt"

	"laurel/shared/table"
)

// items are what a transaction reads and changes, expired items included. Their data is valid until
// it ends, and nobody changes it.
type items interface {
	load(key table.Key) (table.Item, bool)
	put(item table.Item) error
	remove(key table.Key) error
	// ascend walks a partition from a key to a sort key, both included; descend from below a key.
	ascend(first table.Key, last string) iter.Seq[table.Item]
	descend(below table.Key) iter.Seq[table.Item]
}

// file is the items of a file, and a cursor to find them with: one for all saves a sixth of what a batch allocates.
type file struct {
	*bbolt.Bucket
	at *bbolt.Cursor
}

// fileOf returns the items that a transaction sees.
func fileOf(tx *bbolt.Tx) file {
	bucket := tx.Bucket(itemsBucket)
	return file{bucket, bucket.Cursor()}
}

// keyBytes returns an item's key in the file.
func keyBytes(key table.Key) []byte {
	b := make([]byte, 0, 2+len(key.Partition)+len(key.Sort))
	b = binary.BigEndian.AppendUint16(b, uint16(len(key.Partition)))
	return append(append(b, key.Partition...), key.Sort...)
}

func (f file) load(key table.Key) (table.Item, bool) {
	name := keyBytes(key)
	if found, value := f.at.Seek(name); bytes.Equal(found, name) {
		return stored(key, value), true
	}
	return table.Item{}, false
}

func (f file) put(item table.Item) error {
	key := keyBytes(item.Key)
	value := binary.BigEndian.AppendUint64(make([]byte, 0, headLen+len(item.Data)+sumLen), uint64(item.Expires))
	value = binary.BigEndian.AppendUint64(value, uint64(item.Revision))
	value = append(value, item.Data...)
	return f.set(key, binary.BigEndian.AppendUint32(value, sum(key, value)))
}

func (f file) remove(key table.Key) error { return f.set(keyBytes(key), nil) }

func (f file) ascend(first table.Key, last string) iter.Seq[table.Item] {
	cursor := f.Cursor()
	end := keyBytes(table.Key{Partition: first.Partition, Sort: last})
	upTo := func(k, v []byte) ([]byte, []byte) {
		if bytes.Compare(k, end) > 0 {
			return nil, nil
		}
		return k, v
	}
	k, v := upTo(cursor.Seek(keyBytes(first)))
	return walk(first.Partition, k, v, func() ([]byte, []byte) { return upTo(cursor.Next()) })
}

func (f file) descend(below table.Key) iter.Seq[table.Item] {
	cursor := f.Cursor()
	var k, v []byte
	if at, _ := cursor.Seek(keyBytes(below)); at == nil {
		k, v = cursor.Last()
	} else {
		k, v = cursor.Prev() // Seek finds the first that is not less
	}
	return walk(below.Partition, k, v, cursor.Prev)
}

// walk goes through the items of a partition from a key and value of the file on.
func walk(partition string, k, v []byte, next func() (k, v []byte)) iter.Seq[table.Item] {
	prefix := keyBytes(table.Key{Partition: partition})
	return func(yield func(table.Item) bool) {
		for ; bytes.HasPrefix(k, prefix); k, v = next() {
			if !yield(stored(table.Key{Partition: partition, Sort: string(k[len(prefix):])}, v)) {
				return
			}
		}
	}
}

// stored returns the item of a value in the file.
func stored(key table.Key, value []byte) table.Item {
	item := table.Item{Key: key}
	if len(value) >= headLen+sumLen {
		item.Expires = int64(binary.BigEndian.Uint64(value))
		item.Revision = int64(binary.BigEndian.Uint64(value[8:]))
		item.Data = value[headLen : len(value)-sumLen]
	}
	return item
}

// copied returns an item as it leaves a transaction.
func copied(item table.Item) table.Item {
	item.Data = append(make([]byte, 0, len(item.Data)), item.Data...)
	return item
}
