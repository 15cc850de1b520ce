package night_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/night"
	"laurel/shared/records"
)

// A day takes one step in a tick, each a wait after the one before, and says what it waits for.
func TestDayBecomesFinalInThreeSteps(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a1", "bob like a1", "bob like a2", "eve like a1", "gil like a1")
	f.setPerson("gil", func(p *records.Person) { p.Erased = f.moment() }) // whose ledger is of before
	f.did("gil visit p1", "hal visit p1")
	f.setPerson("eve", func(p *records.Person) { p.Status.Excluded = true })
	f.on("2026-11-23")
	f.nights()
	f.is("2026-11-19", board.PeriodRemoved)
	f.is("2026-11-20", board.PeriodLive)
	f.on("2026-11-24")
	for _, state := range []board.PeriodState{board.PeriodClosed, board.PeriodFinal, board.PeriodRemoved} {
		r := f.tick()
		f.is("2026-11-20", state)
		if state == board.PeriodRemoved {
			break
		}
		if len(r.Left) == 0 || r.Left[0].Reason != night.ReasonWait ||
			!r.Left[0].Next.Equal(r.Left[0].Since.Add(records.StepWait)) {
			t.Errorf("%s: left %+v", state, r.Left)
		}
		if f.Pass(-50 * time.Second); state == board.PeriodFinal { // ten seconds later
			f.Pass(1)
		}
		f.tick()
		f.is("2026-11-20", state)
	}
	if diff := cmp.Diff([]string{"bob 4", "ann 2", "gil 1", "hal 1"}, f.users("activity", "2026-11-20")); diff != "" {
		t.Errorf("final (-want +got):\n%s", diff)
	}
	if got := f.head().Night; got.String() != "2026-11-24" {
		t.Errorf("the last night that left nothing: %v", got)
	}
	if periods, err := f.App.View.Boards(t.Context()); err != nil || len(periods) != 1 {
		t.Errorf("the view has %v, %v, want the month alone", periods, err)
	}
}
