package main

import (
	"testing"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// A filler writes ledgers of people who had none.
type filler struct {
	tb      testing.TB
	store   *items.Store
	head    *items.Head
	ledger  *ledger.Ledger
	changes []items.Change
}

func newFiller(tb testing.TB, store *items.Store, head *items.Head, l *ledger.Ledger) *filler {
	tb.Helper()
	return &filler{tb: tb, store: store, head: head, ledger: l}
}

// add adds the ledgers of a user's activities in some months.
func (f *filler) add(user string, acts []activity.Activity, months ...board.MonthOf) {
	f.tb.Helper()
	a := &ledger.Account{User: user, Months: map[board.MonthOf]*ledger.MonthLedger{}}
	for _, m := range months {
		a.Months[m] = nil
	}
	now := board.MomentOf(harness.Noon)
	d := harness.Must(f.ledger.DecideAccount(a, acts, ledger.Surroundings{
		Now: now, AnyAge: true, Today: f.ledger.Calendar().Date(now),
		PersonOf: func(id string) codec.PersonHash { return f.head.KeyOf(id).Hash() },
	}))(f.tb)
	for _, m := range d.Changed {
		f.changes = append(f.changes, items.Change{Ledger: &items.LedgerChange{
			Key: items.LedgerKey{Person: f.head.KeyOf(user), Month: m}, Value: d.Account.Months[m],
		}})
	}
	if len(f.changes) >= 2_000 {
		f.write()
	}
}

// write writes the ledgers that are not written yet.
func (f *filler) write() {
	f.tb.Helper()
	harness.OK(f.tb, f.store.WriteUnlessChanged(f.tb.Context(), f.changes...))
	f.changes = nil
}
