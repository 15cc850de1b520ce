package record_test

import (
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/records"
)

// knowing starts a process that knows the head: its next read is that of a report.
func (w *walked) knowing() *process {
	w.Helper()
	p := w.start()
	if _, err := p.all.Head(w.Context()); err != nil {
		w.Fatal(err)
	}
	p.calls.Reset()
	return p
}

// An undo takes two months' ledgers at once: if another process comes first in one of them, the receipt
// tells of both.
func TestAConflictInOneOfTwoMonths(t *testing.T) {
	t.Parallel()
	first := board.MomentOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	for _, in := range []board.Moment{first - 2, first + 2} {
		w := newWalked(t, harness.UTC(), first+10, 1)
		w.reporting(w.process, did("ann", "like", "a", first-1))
		p := w.knowing()
		p.calls.AfterCall(1, func() { w.reporting(w.process, did("ann", "like", "b", in)) })
		if got := w.reporting(p, did("ann", "unlike", "a", first+1))[0]; got.Status != ledger.Revoked || got.Points != -2 {
			t.Errorf("%+v", got)
		}
		w.same("afterwards")
	}
}

// What was read before a month's first ledger neither takes its user off the month's boards nor leaves one
// there who is hidden meanwhile.
func TestShownBesideTheFirstLedgerOfAMonth(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("bob", "like", "a", noon)) // there is a month
	named, hider, reporter := w.knowing(), w.knowing(), w.knowing()
	named.beforeTrip(func() { w.report(did("ann", "like", "a", noon)) })
	harness.OK(t, named.ShowUser(t.Context(), "ann"))
	w.same("after a name")
	read, shown, hidden := make(chan bool), make(chan bool), make(chan error)
	hider.beforeTrip(func() { close(read); <-shown })
	reporter.calls.AfterCall(1, func() {
		w.change("eve", hide)
		go func() { hidden <- hider.ShowUser(t.Context(), "eve") }()
		<-read
	})
	w.reporting(reporter, did("eve", "like", "a", noon))
	close(shown)
	harness.OK(t, <-hidden)
	w.same("after hiding")
}

func hide(p *records.Person) { p.Status.Hidden = true }

// A report that had read before its user was hidden does not bring the user back.
func TestHiddenBesideAReport(t *testing.T) {
	t.Parallel()
	w := newDefault(t, 1)
	w.report(did("ann", "like", "a", noon))
	p := w.knowing()
	p.beforeTrip(func() {
		w.change("ann", hide)
		harness.OK(t, w.ShowUser(t.Context(), "ann"))
		w.same("when hidden")
	})
	w.reporting(p, did("ann", "like", "b", noon))
	w.same("afterwards")
}
