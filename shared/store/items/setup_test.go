package items_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/profile"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

const now board.Moment = 1_795_132_800_000

var month = board.DateOf(2026, 11, 1).Month()

// memory returns the records in an empty table that has a head.
func memory(tb testing.TB) *items.Store {
	tb.Helper()
	return begun(tb, embedded.New(time.Now))
}

func begun(tb testing.TB, t items.Table) *items.Store {
	tb.Helper()
	s := items.New(t, "UTC", now.Time)
	if _, err := s.Head(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return s
}

// keyOf returns the n-th key of a bucket.
func keyOf(bucket, n int) items.Key {
	return items.Key{byte(bucket + items.Buckets*(n%8)), byte(n >> 8), byte(n), 1}
}

func personOf(n int) *items.Person {
	return &items.Person{ID: fmt.Sprint("user-", n), Profile: profile.Profile{Name: fmt.Sprint("User ", n)}}
}

func ledgerOf(n int) *ledger.MonthLedger {
	return &ledger.MonthLedger{User: fmt.Sprint("user-", n), After: now}
}

// write writes changes, each of which has to succeed.
func write(tb testing.TB, s *items.Store, changes ...items.Change) []items.Written {
	tb.Helper()
	written := s.Write(tb.Context(), changes...)
	for i, w := range written {
		if w.Err != nil {
			tb.Fatalf("change %d: %v", i, w.Err)
		}
	}
	return written
}

func read(tb testing.TB, s *items.Store, q items.Query) *items.Found {
	tb.Helper()
	return harness.Must(s.Read(tb.Context(), q))(tb)
}

func newPerson(key items.Key, n int) items.Change {
	return items.Change{Person: &items.PersonChange{Key: key, Value: personOf(n)}}
}

func newLedger(key items.LedgerKey, n int) items.Change {
	return items.Change{Ledger: &items.LedgerChange{Key: key, Value: ledgerOf(n)}}
}
