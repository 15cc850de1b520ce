// Package items types the items of the table: the forum's head, ledgers, people, follow lists, articles, void
// targets, events to send, webhooks that have come, the operators' record. It decides their keys and their bytes, and
// nothing else does.
//
//	partition key        sort key        data                                    revision
//	FORUM                head            JSON of Head                            yes
//	FORUM                cursor#<name>   next place of some pass                 yes
//	FORUM                pairing         JSON of pairing                         yes
//	LEDGER#<month>#<bb>  person's key    ledger.MonthLedger                      yes
//	PERSON#<bb>          person's key    Person                                  yes
//	FOLLOWS#<person>     0 to f          ids, and moments, of a sixteenth        yes
//	ARTICLE#<bb>         id              article.Page with its votes once final  yes
//	VOID                 target          Void                                    yes
//	ERASURE#<bb>         person's key    how far an erasure is                   yes
//	MERGE#<bb>           person's key    how far a merge into another person is  yes
//	EVENTS#<address>     moment and id   Event, until it is sent                 yes
//	DELIVERY#<bb>        hash of an id   Delivery, for three days                yes
//	RECORD               moment and id   Act, for 13 months                      yes
//
// Final boards are package final's. An item's Revision is 0 while there is none. An item that
// cannot be read is an error that names it, and of that item alone.
package items

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"laurel/shared/store/table"
)

// Table is the store that has the items.
type Table = table.Store

// A Row is an item with its revision, 0 while there is none; then Value is the zero value. So it is of
// an item that cannot be read, and Err, of this item alone, wraps codec.ErrDamaged or ledger.ErrFormat.
type Row[T any] struct {
	Value    T
	Revision int64
	Err      error
}

// A Store reads and writes the typed items of a table. It is safe for concurrent use.
type Store struct {
	table    Table
	zone     string // IANA name of the forum's
	clock    func() time.Time
	first    atomic.Int64              // Head.From, as it was read last
	head     atomic.Pointer[knownHead] // as it was read last
	written  atomic.Pointer[time.Time] // when this process last wrote the head; nil: never
	failed   atomic.Pointer[time.Time] // when the table last failed to answer for the head; nil: never
	real     func() time.Time          // for the age of the head
	late     bool                      // a report may have a head that was read lately
	circles  circles
	lately   lately
	standIns standIns
}

// New returns the records in the table of a forum in a time zone, "" for any. The clock says when a
// table that was never used begins.
func New(t Table, zone string, clock func() time.Time) *Store {
	s := &Store{table: t, zone: zone, clock: clock, real: time.Now}
	s.head.Store(&knownHead{})
	return s
}

// headFor is how long a head that was read will do for reports. With the 10 s from a read to its write it stays below
// StepWait, the time between the steps that change what reports may do.
const headFor = 4 * time.Second

// KeepHead makes the store keep the head for reports, some seconds by a clock, before other calls of the store; with a
// nil clock it keeps none. It is for processes on tables whose steps wait for StepWait.
func (s *Store) KeepHead(clock func() time.Time) {
	if s.late = clock != nil; s.late {
		s.real = clock
	}
}

// Table returns the table that the records are in, for package final.
func (s *Store) Table() Table { return s.table }

var (
	// ErrUnchanged is returned by a change that leaves the item as it is.
	ErrUnchanged = errors.New("items: nothing to change")
	// ErrZone is wrapped if the table is of a forum in another time zone: nothing is written.
	ErrZone = errors.New("items: the table is of another time zone")
	// ErrLaterFormat is wrapped if the table has a format from the future: nothing is written.
	ErrLaterFormat = errors.New("items: the table has a format of a later version")
	// ErrUnused is returned by a change of the head of a table that was never used: see Head.
	ErrUnused = errors.New("items: the table was never used")
	// ErrBusy is wrapped by the error of a user whose items others kept changing, or whose lock was not free, for as
	// long as the caller waits.
	ErrBusy = errors.New("items: others came first too often")
)

// BackOff waits a random while before the next attempt after a conflict, longer after each,
// at most a quarter of a second. The error wraps table.ErrUnavailable: the context has ended.
func BackOff(ctx context.Context, attempt int) error {
	most := min(5*time.Millisecond<<min(attempt, 10), 250*time.Millisecond)
	select {
	case <-ctx.Done():
		return fmt.Errorf("items: %w: after conflicts: %w", table.ErrUnavailable, context.Cause(ctx))
	case <-time.After(rand.N(most)):
		return nil
	}
}

// Again does something again after each conflict, a while later, until the context ends. do begins with a read.
func Again(ctx context.Context, do func() error) error {
	for attempt := 0; ; attempt++ {
		err := do()
		if !errors.Is(err, table.ErrConflict) {
			return err
		}
		if err := BackOff(ctx, attempt); err != nil {
			return err
		}
	}
}

// wrap adds the operation to its error.
func wrap(operation string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("items: %s: %w", operation, err)
}
