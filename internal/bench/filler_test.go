package main

import (
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
	"laurel/shared/store/table/embedded"
)

// A filler writes ledgers of people who had none.
type filler struct {
	tb      testing.TB
	store   *items.Store
	head    *items.Head
	ledger  *ledger.Ledger
	changes []items.Change
}

// newFiller makes one of an empty table at noon.
func newFiller(tb testing.TB, l *ledger.Ledger) *filler {
	tb.Helper()
	store := items.New(embedded.New(time.Now), "UTC", func() time.Time { return harness.Noon })
	return &filler{tb: tb, store: store, head: harness.Must(store.Head(tb.Context()))(tb), ledger: l}
}

// beginAt has the history begin with a month: days are final until live ones, and months before a live one.
func (f *filler) beginAt(first, live board.MonthOf) {
	f.tb.Helper()
	f.change(func(h *items.Head) (err error) {
		h.From, h.HistoryIn = first, true
		for day := first.First(); day < f.today()-3 && err == nil; day++ {
			h.Life, err = ended(h.Life, board.PeriodOf(board.Day, day))
		}
		for m := first; m < live && err == nil; m++ {
			h.Life, err = ended(h.Life, board.PeriodOf(board.Month, m.First()))
		}
		return err
	})
}

func (f *filler) change(change func(*items.Head) error) {
	f.tb.Helper()
	f.head = harness.Must(f.store.ChangeHead(f.tb.Context(), change))(f.tb)
}

func (f *filler) today() board.Date { return f.ledger.Calendar().Date(board.MomentOf(harness.Noon)) }

// ended returns a life in which a period is final.
func ended(life *board.Life, p board.Period) (*board.Life, error) {
	var err error
	for _, event := range []board.PeriodEvent{board.EventClose, board.EventMake, board.EventRemove} {
		if life, err = life.Apply(p, event, board.MomentOf(harness.Noon)); err != nil {
			return nil, err
		}
	}
	return life, nil
}

// add adds the ledgers of a user's activities in some months.
func (f *filler) add(user string, acts []activity.Activity, months ...board.MonthOf) {
	f.tb.Helper()
	a := &ledger.Account{User: user, Months: map[board.MonthOf]*ledger.MonthLedger{}}
	for _, m := range months {
		a.Months[m] = nil
	}
	d := harness.Must(f.ledger.DecideAccount(a, acts, ledger.Surroundings{
		Now: board.MomentOf(harness.Noon), AnyAge: true, Today: f.today(),
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
