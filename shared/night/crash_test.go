package night_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/board"
	"laurel/shared/night"
)

// filled is a forum whose November and its days are due at the beginning of February.
func filled(t *testing.T) *forum {
	t.Helper()
	f := newForum(t, everyWindow(t))
	f.did("ann like a1", "bob like a1", "bob like a2", "cid visit p1", "dan like a2", "dan unlike a2", "ann steps 100")
	f.on("2026-11-29")
	f.did("ann like a3", "cid like a3")
	f.on("2026-12-01")
	f.did("bob like a9", "eve like a9")
	f.on("2027-02-20")
	return f
}

// finals are the boards of a forum that are final.
func (f *forum) finals() map[string][]string {
	f.Helper()
	all := map[string][]string{}
	for _, name := range []string{"activity", "steps"} {
		for _, w := range board.Windows()[:4] {
			periods, err := f.Finals.Periods(f.Context(), name, w, board.Period{}, 1_000)
			if err != nil {
				f.Fatal(err)
			}
			for _, p := range periods {
				all[name+" "+p.Period.String()] = f.users(name, p.Period.String())
			}
		}
	}
	return all
}

// A night that is killed at any of its writes and begun again comes to the same boards, totals and
// places as one that nobody disturbs.
func TestKilledAtEachWrite(t *testing.T) {
	t.Parallel()
	calm := filled(t)
	calm.nights()
	want := calm.finals()
	if len(want) < 9 || calm.users("activity", "2026-11") == nil {
		t.Fatalf("finals of an undisturbed night: %v", want)
	}
	total := calm.calls.writes.Load()
	for n := int64(1); n <= total; n++ {
		if n > 40 && n%7 != 0 {
			continue
		}
		f := filled(t)
		f.calls.dieAt(n, n%2 == 0)
		for range 12 {
			f.passed += 60e9
			_, err := night.Tick(f.Context(), f.Options)
			if f.calls.killed.Load() > 0 {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		f.calls.alive()
		f.passed += 60e9 * 2 // another comparison may go on then
		f.nights()
		if diff := cmp.Diff(want, f.finals()); diff != "" {
			t.Fatalf("killed at write %d (-want +got):\n%s", n, diff)
		}
		f.same()
	}
}

// same checks that the view says what the table does.
func (f *forum) same() {
	f.Helper()
	done, err := f.recorder.Compare(f.Context(), auditing)
	if err != nil || done.Differ > 0 {
		f.Errorf("the view differs: %+v, %v", done.Findings, err)
	}
	told, err := night.AuditFinal(f.Context(), f.Options)
	if err != nil || len(told.Differs)+len(told.Broken) > 0 || told.Boards == 0 {
		f.Errorf("the finals differ: %+v, %v", told, err)
	}
}

// Nights beside each other, beside reports and an import that begins come to the same boards.
func TestDoubledBesideReports(t *testing.T) {
	t.Parallel()
	calm := filled(t)
	calm.nights()
	f := filled(t)
	for i := range 8 {
		f.passed += 60e9
		errs := make(chan error, 3)
		for range 3 {
			go func() {
				_, err := night.Tick(f.Context(), f.Options)
				errs <- err
			}()
		}
		f.did(fmt.Sprintf("fay like b%d", i))
		for range 3 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
	}
	f.nights()
	if diff := cmp.Diff(calm.finals(), f.finals()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f.same()
}

// The months of an import wait until it is released, and say by whom they are held; what becomes
// final then has what was imported.
func TestHeldMonthsWait(t *testing.T) {
	t.Parallel()
	f := filled(t)
	november := f.period("2026-11").First().Month()
	f.hold("history.csv", november)
	r := f.nights()
	if !slices.ContainsFunc(r.Left, func(l night.Left) bool {
		return l.Reason == night.ReasonImport && l.Detail == "history.csv" && !l.Since.IsZero() &&
			l.String() == "2026-11-01 to 2026-11-30"
	}) {
		t.Errorf("left: %+v", r.Left)
	}
	f.is("2026-11-20", board.PeriodHeld)
	f.is("2026-12-01", board.PeriodRemoved)
	f.is("2026-12", board.PeriodLive) // until its week, which is November's, too
	f.merge("gus like a1", "2026-11-20")
	f.release("history.csv")
	f.nights()
	if diff := cmp.Diff([]string{"bob 4", "ann 2", "gus 2", "cid 1"}, f.users("activity", "2026-11-20")); diff != "" {
		t.Errorf("final (-want +got):\n%s", diff)
	}
	f.same()
}
