package archive

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/board"
)

// The errors of a Store.
var (
	// ErrExists is wrapped when something else is there than the condition allows.
	ErrExists = errors.New("archive: another item is there")
	// ErrUnavailable is wrapped when the store is away, slow, throttled for too
	// long, or answers with an error. Doing it again is safe.
	ErrUnavailable = errors.New("archive: store is unavailable")
)

// A Key names an item.
type Key struct {
	Partition, Sort string
}

// String is the key as an operator finds the item by.
func (k Key) String() string { return k.Partition + " " + k.Sort }

// An Item is what a Store keeps.
type Item struct {
	Key
	Data    []byte
	Expires int64 // seconds since the Unix epoch after which it is gone; 0: never
}

// A Store keeps items. A DynamoDB table is one, an embedded file another; the
// suite in archivetest says in full what they have to do. Implementations retry
// what is passing, in bounds, and return errors that wrap ErrUnavailable.
type Store interface {
	// Get reads items, those that are there, in no order, as of now. It is one
	// read, of at most 100 keys.
	Get(ctx context.Context, keys ...Key) ([]Item, error)
	// Descend reads the items of a partition whose sort keys are less than below,
	// the greatest first, at most limit of them: one read.
	Descend(ctx context.Context, partition, below string, limit int) ([]Item, error)
	// Put writes an item if there is none, or the very same one. Else the error
	// wraps ErrExists.
	Put(ctx context.Context, item Item) error
	// Replace writes an item if what is there has the data old; nil is none.
	// Else the error wraps ErrExists.
	Replace(ctx context.Context, item Item, old []byte) error
	// Delete removes items, those that are there.
	Delete(ctx context.Context, keys ...Key) error
	// Units returns the read and write units consumed so far.
	Units() (read, write float64)
}

const (
	prefixPage  = "page#"
	prefixIndex = "index#"
)

// The manifests of a board's window are one partition, so that its periods are
// listed without a scan; the names of periods sort by time.
func manifests(name string, w board.Window) string { return name + "#" + w.String() }

func manifestKey(name string, p board.Period) Key {
	return Key{manifests(name, p.Window()), p.String()}
}

func partition(name string, p board.Period) string {
	return manifests(name, p.Window()) + "#" + p.String()
}

func pageKey(name string, p board.Period, page int64) Key {
	return Key{partition(name, p), fmt.Sprintf("%s%06d", prefixPage, page)}
}

func indexKey(name string, p board.Period, from uint64) Key {
	return Key{partition(name, p), fmt.Sprintf("%s%010x", prefixIndex, from)}
}
