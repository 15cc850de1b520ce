package table

import (
	"context"
	"errors"
)

// The errors of a Store.
var (
	// ErrConflict is wrapped if the stored item is not the one that a write was decided on.
	ErrConflict = errors.New("table: another item exists")
	// ErrUnavailable is wrapped if the store does not answer in time, throttles for too
	// long, or answers with an error. The call can be repeated.
	ErrUnavailable = errors.New("table: store is unavailable")
)

// A Key names an item.
type Key struct {
	Partition, Sort string
}

// String returns the key for messages. Keys name no user.
func (k Key) String() string { return k.Partition + " " + k.Sort }

// An Item is a value in a Store.
type Item struct {
	Key
	Data     []byte
	Expires  int64 // seconds since the Unix epoch from which it is gone; 0: never
	Revision int64 // the number of its last Write
}

// A Store stores items, in a DynamoDB table or in an embedded file; the tests in
// tabletest specify it in full. Implementations retry transient errors, with a limit,
// and then return errors that wrap ErrUnavailable.
type Store interface {
	Writer
	// Get returns the items that exist for the keys, at most 100 that differ, in no order. It is
	// one consistent read.
	Get(ctx context.Context, keys ...Key) ([]Item, error)
	// GetEventually is Get for half of the units: what was written in the last second or so
	// may be missing from it.
	GetEventually(ctx context.Context, keys ...Key) ([]Item, error)
	// Descend returns the items of a partition whose sort keys are less than below, the
	// greatest first, at most limit. It is one read.
	Descend(ctx context.Context, partition, below string, limit int) ([]Item, error)
	// Ascend returns the items of a partition whose sort keys are greater than after and
	// at most last, the least first, at most limit. It is one read.
	Ascend(ctx context.Context, partition, after, last string, limit int) ([]Item, error)
	// Delete removes the items that exist for the keys, whatever their revisions.
	Delete(ctx context.Context, keys ...Key) error
}
