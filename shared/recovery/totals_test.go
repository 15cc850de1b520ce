package recovery_test

import (
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/nightly"
	"laurel/shared/recovery"
)

// long returns the boards of the year and of all time.
func (f *operated) long() (all [][]board.Entry) {
	f.Helper()
	for _, period := range []string{"2026", "all"} {
		all = append(all, f.live(period))
	}
	return all
}

// What a month's ledger comes to is kept when it is closed again, also where that differs
// from a board of the month that stayed final: with another board of the month a target's void
// reached its entries.
func TestTotalsOfAMonthThatHasAnotherBoardFinal(t *testing.T) {
	t.Parallel()
	f := operate(t)
	harness.Record(t, f.Store, activity.Activity{
		User: "bob", Action: "steps", Value: new(int64(100)), At: harness.At(t, "2026-10-20T12:00"),
	})
	f.Night(1, func(o *nightly.Options) { o.HotDays, o.HotMonths = 400, 20 }) // seals
	f.until("2027-02-10")
	before := f.long()
	_, err := f.Store.SetVoid(t.Context(), "2026-10-20", board.MomentOf(f.Now))
	f.must(err)
	undone := func() int64 {
		pass, err := f.Store.VoidPass(t.Context())
		f.must(err)
		return pass.Undone
	}
	if n := undone(); n > 0 {
		t.Fatalf("%d entries of a final month are undone", n)
	}
	_, err = recovery.Reopen(t.Context(), f.Recovery(f.Now),
		recovery.Reopening{Board: "steps", Period: f.parse("2026-10"), Apply: true})
	f.must(err)
	if n := undone(); n != int64(len(operatedUsers)) {
		t.Fatalf("%d entries are undone, want everybody's like", n)
	}
	f.Night(0)
	equal(t, "the board that stayed final", f.was["2026-10"], f.final("2026-10"))
	want := f.long()
	if before, after := scoreOf(before[0], "bob"), scoreOf(want[0], "bob"); after != before-2 {
		t.Fatalf("bob had %d in the year, and has %d", before, after)
	}
	for what, do := range map[string]func(){
		"audit": func() { f.audited("final again") },
		"all": func() {
			o := f.Recovery(f.Now)
			o.All = true
			_, err := recovery.Rebuild(t.Context(), o)
			f.must(err)
		},
		"emptied": func() {
			f.must(f.Redis.FlushDB(t.Context()).Err())
			f.rebuild()
		},
	} {
		do()
		equal(t, what, want, f.long())
	}
}

// What is not kept of a month comes from its final boards.
func TestTotalsThatAreNotKeptComeFromFinalMonths(t *testing.T) {
	t.Parallel()
	f := operate(t)
	f.until("2027-02-10")
	want := f.long()
	f.must(f.Kept.State.SetTotals(t.Context(), "ada", ""))
	month := f.parse("2026-11").First().Month()
	f.must(f.Kept.State.ChangeTotals(t.Context(), "bob", func(page string) (string, error) {
		return ledger.CutTotals(page, func(m board.MonthOf) bool { return m < month })
	}))
	f.must(f.Redis.FlushDB(t.Context()).Err())
	f.rebuild()
	equal(t, "emptied", want, f.long())
}
