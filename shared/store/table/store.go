package table

import (
	"context"
	"errors"
	"time"
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

// A Store stores items, in a DynamoDB table or in an embedded file; the tests in internal/tabletest specify it in full.
// Implementations retry transient errors, with a limit, and then return errors that wrap ErrUnavailable.
type Store interface {
	Writer
	// Get returns the items that exist for the keys, at most 100 that differ, in no order. It is one consistent read.
	Get(ctx context.Context, keys ...Key) ([]Item, error)
	// GetEventually is Get for half of the units: writes of the last second or so may be missing from it.
	GetEventually(ctx context.Context, keys ...Key) ([]Item, error)
	// Descend returns the items of a partition whose sort keys are less than below, the
	// greatest first, at most limit. It is one read.
	Descend(ctx context.Context, partition, below string, limit int) ([]Item, error)
	// Ascend returns the items of a partition whose sort keys are greater than after and
	// at most last, the least first, at most limit. It is one read.
	Ascend(ctx context.Context, partition, after, last string, limit int) ([]Item, error)
	// AscendEventually is Ascend for half of the units: writes of the last second or so may be missing from it.
	AscendEventually(ctx context.Context, partition, after, last string, limit int) ([]Item, error)
	// Delete removes the items that exist for the keys, which differ, at any revision.
	Delete(ctx context.Context, keys ...Key) error
}

// A Write puts an item, or deletes one, under the condition that the stored item has the
// revision that was read. The store gives each write a random mark of its own, by which it
// knows a write that was applied though its answer was lost.
type Write struct {
	Item       // Key, Data, the Revision to be stored, 0: Next(Was), and Expires of one that is written alone
	Was  int64 // the revision that was read; 0: there is no such item, nor one that has expired
	Gone bool  // the item is deleted instead; one that is not there is deleted already
}

// An Outcome is the result of a Write.
type Outcome struct {
	Err    error // nil: it was applied; ErrConflict: it was not; ErrUnavailable: nobody knows; or it is of the caller
	Stored *Item // after a conflict, if the store returned it, even if expired; nil: it has to be read, and may be absent
}

// revisionEpoch is when revisions of new items begin: 2020-01-01 UTC, in milliseconds.
const revisionEpoch = 1_577_836_800_000

// Next returns the revision after one: the next number, or for a new item the milliseconds
// since 2020, so that an item that was deleted and is made again continues above.
func Next(was int64) int64 {
	if was > 0 {
		return was + 1
	}
	return max(time.Now().UnixMilli()-revisionEpoch, 1)
}

// A Writer writes items that have revisions.
type Writer interface {
	// Write applies each write by itself, independently of the others; their keys differ. It returns an outcome
	// for each, in their order. Many go together in one call, and calls side by side. An item that may expire is
	// written alone, always: statements leave an expiry as it is.
	Write(ctx context.Context, writes ...Write) []Outcome
	// Together applies all writes, at most 100, or none of them. Its error wraps ErrConflict
	// if a condition does not hold: the stored items have to be read. None of them expires.
	Together(ctx context.Context, writes ...Write) error
}
