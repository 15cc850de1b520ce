package night_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
)

// By hand a run takes all steps, and prints the reasons for waiting.
func TestRunTakesAllSteps(t *testing.T) {
	t.Parallel()
	f := filled(t)
	f.Wait = 20 * time.Millisecond
	var waits int
	f.Waits = func(until time.Time, left []items.Left) {
		if waits++; len(left) == 0 || until.IsZero() {
			t.Errorf("waits until %s for %+v", until, left)
		}
	}
	r, err := night.Run(t.Context(), f.Options)
	if err != nil || len(r.Left) > 0 || waits < 4 {
		t.Fatalf("waits %d, left %+v, %v", waits, r.Left, err)
	}
	f.expect("2026-11", board.PeriodRemoved)
	f.expect("2026", board.PeriodLive) // until March
	f.same()
}

// Votes that become final are in the view once a night is through.
func TestFinalVotesAreShown(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.on("2026-11-20")
	f.articles("a1")
	f.did("ann like a1")
	f.on("2027-02-20")
	if r := f.nights(); r.Votes != 1 {
		t.Errorf("%+v", r)
	}
	f.same()
}

// A night of five users takes few calls of the table, those of its claims among them.
func TestNightOfFiveUsersIsCheap(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.on("2026-11-01")
	f.did("ann like a1", "bob like a1", "cid visit p1", "dan like a2", "eve steps 100")
	f.on("2026-11-03")
	f.nights()
	f.Wait = 20 * time.Millisecond
	f.on("2026-11-05")
	before := f.calls.All.Load()
	harness.Must(night.Run(t.Context(), f.Options))(t)
	if n := f.calls.All.Load() - before; n > 105 {
		t.Errorf("%d calls in a night", n)
	}
	f.expect("2026-11-01", board.PeriodRemoved)
}

// When nothing is known to be missing, people are compared every five minutes, later where many were.
func TestPeopleAreComparedFromTimeToTime(t *testing.T) {
	t.Parallel()
	f := newForum(t, activity.Default())
	f.did("ann like a1")
	f.tick()
	many, compare := int64(0), f.CatchUp
	f.CatchUp = func(ctx context.Context, o catchup.Request) (catchup.Result, error) {
		done, err := compare(ctx, o)
		if many > 0 {
			done.Met, done.Left = many, true
		}
		return done, err
	}
	compared := func(after time.Duration) bool {
		f.Pass(after - time.Minute) // a tick lets this time pass
		r := f.tick()
		return r.Compared != nil && r.Compared.Why == "from time to time" && !slices.ContainsFunc(r.Left,
			func(l items.Left) bool { return l.Reason == items.ReasonBehind })
	}
	if compared(4*time.Minute) || !compared(time.Minute) || compared(4*time.Minute) {
		t.Error("not every five minutes")
	}
	if many = 6_000; !compared(time.Minute) || compared(29*time.Minute) || !compared(time.Minute) {
		t.Error("not in half an hour after 6,000 people were")
	}
}
