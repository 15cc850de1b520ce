package records_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
	"laurel/shared/table/embedded"
)

const now board.Moment = 1_795_132_800_000

var month = board.DateOf(2026, 11, 1).Month()

// memory returns the records in an empty table that has a head.
func memory(tb testing.TB) *records.Store {
	tb.Helper()
	return begun(tb, embedded.New(time.Now))
}

func begun(tb testing.TB, t records.Table) *records.Store {
	tb.Helper()
	s := records.New(t, "UTC", now.Time)
	if _, err := s.Head(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	return s
}

// keyOf returns the n-th key of a bucket.
func keyOf(bucket, n int) records.Key {
	return records.Key{byte(bucket + records.Buckets*(n%8)), byte(n >> 8), byte(n), 1}
}

func personOf(n int) *records.Person {
	return &records.Person{ID: fmt.Sprint("user-", n), Name: records.Name{Name: fmt.Sprint("User ", n)}}
}

func ledgerOf(n int) *ledger.MonthLedger {
	return &ledger.MonthLedger{User: fmt.Sprint("user-", n), After: now}
}

// write writes changes, each of which has to succeed.
func write(tb testing.TB, s *records.Store, changes ...records.Change) []records.Written {
	tb.Helper()
	written := s.Write(tb.Context(), changes...)
	for i, w := range written {
		if w.Err != nil {
			tb.Fatalf("change %d: %v", i, w.Err)
		}
	}
	return written
}

func read(tb testing.TB, s *records.Store, q records.Query) *records.Found {
	tb.Helper()
	return harness.Must(s.Read(tb.Context(), q))(tb)
}

func newPerson(key records.Key, n int) records.Change {
	return records.Change{Person: &records.PersonChange{Key: key, Value: personOf(n)}}
}

func newLedger(key records.LedgerKey, n int) records.Change {
	return records.Change{Ledger: &records.LedgerChange{Key: key, Value: ledgerOf(n)}}
}
