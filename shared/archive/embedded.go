package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// EmbeddedFile is the name of the file in the folder of an embedded store.
const EmbeddedFile = "archive.db"

// An Embedded is a Store in one file, for a single process: laurel dev, and tests.
// It counts the units that DynamoDB would have.
//
// An item's key in the file is its partition with the length in front, two bytes,
// and its sort key, so that a partition is in one stretch and in order; its value
// is the expiry, eight bytes, and the data.
type Embedded struct {
	meter
	db   *bbolt.DB
	now  func() time.Time
	file string // to be removed on closing; "" if it stays, or is gone
}

var _ Store = (*Embedded)(nil)

var itemsBucket = []byte("items")

// OpenEmbedded opens the store in a folder, which is made when missing. One
// process at a time has it.
func OpenEmbedded(folder string, now func() time.Time) (*Embedded, error) {
	if err := os.MkdirAll(folder, 0o750); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return openEmbedded(filepath.Join(folder, EmbeddedFile), now, false)
}

// NewEmbedded returns an empty store that forgets everything when it is closed or
// the process ends. It is a file all the same, so that what is tried in it is what
// a folder has: a temporary one that has no name any more where the system allows
// that, and is not synced.
func NewEmbedded(now func() time.Time) (*Embedded, error) {
	file, err := os.CreateTemp("", "laurel-archive-")
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	e, err := openEmbedded(file.Name(), now, true)
	if err != nil {
		return nil, errors.Join(err, os.Remove(file.Name()))
	}
	if os.Remove(file.Name()) != nil { // Windows: an open file keeps its name
		e.file = file.Name()
	}
	return e, nil
}

func openEmbedded(path string, now func() time.Time, forgets bool) (*Embedded, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: time.Second, NoSync: forgets, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType,
	})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, fmt.Errorf("%w: another process has %s open", ErrUnavailable, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: open %s: %w", ErrUnavailable, path, err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(itemsBucket)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: open %s: %w", ErrUnavailable, path, err), db.Close())
	}
	return &Embedded{db: db, now: now}, nil
}

// Close gives the file back, when calls that are under way have ended.
func (e *Embedded) Close() error {
	err := e.db.Close()
	if e.file != "" {
		err = errors.Join(err, os.Remove(e.file))
	}
	return err
}

// Put writes an item if there is none, or one with the same data, which takes the
// new one's expiry.
func (e *Embedded) Put(ctx context.Context, item Item) error { return e.write(ctx, item, nil) }

// Replace writes an item if what is there has the data old, or the new data
// already.
func (e *Embedded) Replace(ctx context.Context, item Item, old []byte) error {
	return e.write(ctx, item, old)
}

func (e *Embedded) write(ctx context.Context, item Item, old []byte) error {
	if err := checkItem(item); err != nil {
		return err
	}
	return e.update(ctx, "write", item.Key, func(items *bbolt.Bucket) error {
		there, found := load(items, item.Key)
		e.count(0, unitsOf(max(sizeOf(item), sizeOf(there)), writeUnit))
		found = found && !gone(there.Expires, e.now().Unix())
		allowed := (!found && old == nil) || (found && bytes.Equal(there.Data, item.Data)) ||
			(found && old != nil && bytes.Equal(there.Data, old))
		if !allowed {
			return ErrExists
		}
		return items.Put(keyBytes(item.Key), append(binary.BigEndian.AppendUint64(nil, uint64(item.Expires)), item.Data...))
	})
}

// Delete removes items, those that are there: all of them or, on an error, none.
func (e *Embedded) Delete(ctx context.Context, keys ...Key) error {
	keys, err := checkKeys(keys)
	if err != nil || len(keys) == 0 {
		return err
	}
	return e.update(ctx, "delete", keys[0], func(items *bbolt.Bucket) error {
		for _, key := range keys {
			there, _ := load(items, key)
			e.count(0, unitsOf(sizeOf(there), writeUnit))
			if err := items.Delete(keyBytes(key)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (e *Embedded) update(ctx context.Context, operation string, key Key, change func(items *bbolt.Bucket) error) error {
	err := ctx.Err()
	if err == nil {
		err = e.db.Update(func(tx *bbolt.Tx) error { return change(tx.Bucket(itemsBucket)) })
	}
	switch {
	case errors.Is(err, ErrExists):
		return fmt.Errorf("%w: %s", ErrExists, key)
	case err != nil:
		return fmt.Errorf("%w: %s %s: %w", ErrUnavailable, operation, key, err)
	}
	return nil
}
