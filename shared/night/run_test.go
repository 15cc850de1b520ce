package night_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/night"
	"laurel/shared/records"
)

// By hand a run takes all steps, and tells what it waits for.
func TestRunTakesAllSteps(t *testing.T) {
	t.Parallel()
	f := filled(t)
	f.Options.Wait = 20 * time.Millisecond
	var waits int
	f.Waits = func(until time.Time, left []night.Left) {
		if waits++; len(left) == 0 || until.IsZero() {
			t.Errorf("waits until %s for %+v", until, left)
		}
	}
	r, err := night.Run(t.Context(), f.Options)
	if err != nil || len(r.Left) > 0 || waits < 4 {
		t.Fatalf("waits %d, left %+v, %v", waits, r.Left, err)
	}
	f.is("2026-11", board.PeriodRemoved)
	f.is("2026", board.PeriodLive) // until March
	f.same()
}

// A night of five users takes at most a hundred calls of the table.
func TestNightOfFiveUsersIsCheap(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.on("2026-11-01")
	f.did("ann like a1", "bob like a1", "cid visit p1", "dan like a2", "eve steps 100")
	f.on("2026-11-03")
	f.nights()
	f.Options.Wait = 20 * time.Millisecond
	f.on("2026-11-05")
	before := f.calls.All.Load()
	if _, err := night.Run(t.Context(), f.Options); err != nil {
		t.Fatal(err)
	}
	if n := f.calls.All.Load() - before; n > 100 {
		t.Errorf("%d calls in a night", n)
	}
	f.is("2026-11-01", board.PeriodRemoved)
}

// The ledgers of a month are deleted a while after it became final, but not those of one that was
// reopened meanwhile; articles and totals keep what they came to.
func TestLedgersAreDeleted(t *testing.T) {
	t.Parallel()
	f := filled(t)
	f.articles("a1", "a2")
	f.did("ann like a1", "bob like a1", "bob like a2")
	f.on("2027-05-20")
	f.nights() // February is final, and the year of what its months came to
	if got := f.users("activity", "2026"); !slices.Equal(got, []string{"bob 6", "ann 4", "cid 3", "eve 2"}) {
		t.Errorf("the year has %v", got)
	}
	read := harness.Must(f.App.Records.Read(t.Context(), records.Query{Articles: []string{"a1"}}))(t)
	if a := read.Articles["a1"].Value; a == nil || a.State != article.VotesFinal || a.Votes != 3 {
		t.Errorf("the article has %+v", a)
	}
	f.on("2028-01-01")
	f.nights()
	if _, err := night.Reopen(t.Context(), f.Options, f.period("2027-02"), true); err != nil {
		t.Fatal(err)
	}
	f.on("2028-07-01")
	r := f.nights()
	if !slices.Contains(r.Ledgers, "2026-11") || slices.Contains(r.Ledgers, "2027-02") {
		t.Errorf("deleted: %v", r.Ledgers)
	}
	key := records.LedgerKey{Person: f.head().KeyOf("ann"), Month: f.period("2026-11").First().Month()}
	found, err := f.App.Records.Read(t.Context(), records.Query{Ledgers: []records.LedgerKey{key}})
	if err != nil || found.Ledgers[key].Revision != 0 {
		t.Error("the ledger is there", err)
	}
	if _, err := night.Reopen(t.Context(), f.Options, f.period("2026-11"), true); err == nil ||
		!strings.Contains(err.Error(), night.ErrLedgers.Error()) {
		t.Errorf("reopening what is gone: %v", err)
	}
	f.same()
}

// What is wrong is said in a sentence each, put right in the right order, and audited.
func TestRecover(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.Options.Wait = 20 * time.Millisecond
	f.did("ann like a1", "bob like a1")
	f.hold("old.csv", f.period("2025-01").First().Month())
	f.on("2026-11-24")
	f.tick()
	f.client.FlushDB(t.Context())
	var kinds []night.Kind
	r, err := night.Recover(t.Context(), f.Options, func(found night.Finding) { kinds = append(kinds, found.Kind) })
	if err != nil || r.Audit == nil || r.Audit.Differ != 0 || r.Left {
		t.Fatalf("%+v, %v", r, err)
	}
	want := []night.Kind{night.FoundEmptied, night.FoundPeriods, night.FoundImport}
	if !slices.Equal(kinds, want) {
		t.Errorf("found %v, want %v", kinds, want)
	}
	for _, found := range r.Findings {
		if !strings.HasSuffix(found.Says, ".") || !strings.HasSuffix(found.Does, ".") {
			t.Errorf("%+v is not told in sentences", found)
		}
	}
	f.is("2026-11-20", board.PeriodRemoved)
	f.same()
	f.release("old.csv")
	f.nights()
	if again, err := night.Recover(t.Context(), f.Options, nil); err != nil || len(again.Findings) > 0 {
		t.Errorf("once more: %+v, %v", again.Findings, err)
	}
}
