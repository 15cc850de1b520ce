package erasure_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/erasure"
)

// done checks that nothing of the erased user is left, and that the state is done.
func (w *process) done(t *testing.T, what string, n int) {
	t.Helper()
	if places := w.left(t); len(places) > 0 {
		t.Errorf("%s %d: still in %q", what, n, places)
	}
	state, err := w.Eraser.Erasure(t.Context(), gone)
	if err != nil || state.State != archive.ErasureDone {
		t.Errorf("%s %d: %+v, %v", what, n, state, err)
	}
	if users, err := w.Archive.Erasing(t.Context()); len(users) > 0 || err != nil {
		t.Errorf("%s %d: %q are being erased, %v", what, n, users, err)
	}
	if stones, err := w.State.Tombstones(t.Context()); len(stones) != 1 || err != nil {
		t.Errorf("%s %d: tombstones %v, %v", what, n, stones, err)
	}
}

// visit records a visit of the erased user, worth a point.
func (w *process) visit(t *testing.T) {
	t.Helper()
	w.time = w.time.Add(time.Second)
	harness.Record(t, w.Live, activity.Activity{User: gone, Action: "visit", Target: "p", At: board.MomentOf(w.time)})
	w.time = w.time.Add(time.Second)
}

// score returns the erased user's points of today.
func (w *process) score(t *testing.T) int64 {
	t.Helper()
	return harness.ScoreOf(t, w.Live, "activity", harness.Period(t, "2026-11-24"), gone)
}

// An erasure that was interrupted at any call, before or after its effect, and then
// repeated or continued by the nightly run, leaves nothing of the user. The long form
// interrupts each call both before and after.
func TestErasureInterruptedAnywhere(t *testing.T) {
	t.Parallel()
	w := start(t)
	whole := w.snapshot(t)
	w.crash.Arm(0, "")
	if state, err := w.Eraser.Erase(t.Context(), gone); err != nil || state.State != archive.ErasureDone {
		t.Fatalf("%+v, %v", state, err)
	}
	calls := w.crash.Calls()
	w.done(t, "without a crash", 0)
	t.Logf("%d calls", calls)
	if calls < 20 {
		t.Errorf("%d calls are not all of it", calls)
	}
	for n := 0; n < calls; n += testserver.Step(1, 1) {
		for i, how := range []string{harness.Before, harness.After} {
			if n/2%2 != i && testserver.Times(1, 2) == 1 {
				continue
			}
			w.restore(t, whole)
			w.crash.Arm(n+1, how)
			if state, err := w.Eraser.Erase(t.Context(), gone); err == nil {
				continue // fewer calls than before: some are made at once
			} else if !errors.Is(err, harness.ErrCrash) {
				t.Errorf("crash at call %d: %+v, %v", n, state, err)
			}
			w.restart()
			if n%2 == 0 {
				if users, err := w.Archive.Erasing(t.Context()); err != nil || len(users) == 0 && n > 3 && len(w.left(t)) > 0 {
					t.Errorf("crash at call %d: the night would not know, %v", n, err)
				}
				w.night(t, now)
			}
			if _, err := w.Eraser.Erasure(t.Context(), gone); n%2 == 1 || err != nil {
				if _, err := w.Eraser.Erase(t.Context(), gone); err != nil {
					t.Fatal(err)
				}
			}
			w.done(t, "crash at call", n)
		}
	}
}

// An erasure with a closed day waits until the nightly run has made the day final.
func TestErasureWaitsForClosedPeriods(t *testing.T) {
	t.Parallel()
	w := start(t)
	harness.Hide(t, w.Live, gone, false)
	for _, name := range []string{"activity", "steps"} {
		harness.ClosePeriod(t, w.Live, name, harness.Period(t, "2026-11-23"))
	}
	for range 2 {
		state, err := w.Eraser.Erase(t.Context(), gone)
		if err != nil || state.State != archive.ErasureRunning || !erasure.Idle(state) || len(state.Waiting) != 2 {
			t.Fatalf("%+v, %v", state, err)
		}
	}
	if err := w.Archive.Unlist(t.Context(), gone); err != nil { // as another one that ends just now may do
		t.Fatal(err)
	}
	if _, err := w.Eraser.Erase(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	went, err := w.Eraser.GoOn(t.Context())
	if went.Done != 0 || went.Left != 1 || went.Since != board.MomentOf(now) || err != nil {
		t.Errorf("before the night: %+v, %v", went, err)
	}
	result := w.night(t, now.AddDate(0, 0, 5))
	if result.Erasures.Done != 1 || result.Erasures.Left != 0 {
		t.Errorf("the night: %+v", result.Erasures)
	}
	w.done(t, "after the night", 0)
}

// Concurrent erasures of one user, and one without time, do no harm.
func TestErasuresAtOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	hurried, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer cancel()
	state, err := w.Eraser.Erase(hurried, gone)
	if err != nil || state.State != archive.ErasureRunning || erasure.Idle(state) {
		t.Fatalf("with no time: %+v, %v", state, err)
	}
	if went, err := w.Eraser.GoOn(hurried); went.Done != 0 || went.Left != 1 || err != nil {
		t.Errorf("with no time: %+v, %v", went, err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				state, err := w.Eraser.Erase(t.Context(), gone)
				if err != nil && !errors.Is(err, archive.ErrExists) || err == nil && state.State != archive.ErasureDone {
					t.Errorf("%+v, %v", state, err)
				}
			}
		})
	}
	all.Wait()
	w.night(t, now) // what two did at once may be on the list once more
	w.done(t, "at once", 0)
	if _, err := w.Eraser.Erasure(t.Context(), "ann"); !errors.Is(err, archive.ErrNoErasure) {
		t.Errorf("ann: %v", err)
	}
}

// An erasure that was interrupted between its end and its removal from the list is
// removed by the nightly run, and what the user did since stays.
func TestNightlyRunRestartsNoErasure(t *testing.T) {
	t.Parallel()
	w := start(t)
	if _, err := w.Eraser.Erase(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if err := w.Archive.List(t.Context(), gone); err != nil { // as if the process had ended before
		t.Fatal(err)
	}
	w.visit(t)
	if went, err := w.Eraser.GoOn(t.Context()); went.Done != 1 || went.Left != 0 || err != nil {
		t.Errorf("%+v, %v", went, err)
	}
	if users, err := w.Archive.Erasing(t.Context()); len(users) > 0 || err != nil {
		t.Errorf("still listed: %q, %v", users, err)
	}
	if got := w.score(t); got != 1 {
		t.Errorf("%d points of what was done since, want 1", got)
	}
}

// meeting has something happen before a profile is erased.
type meeting struct {
	erasure.People
	first func() error
}

// Erase erases a profile.
func (m *meeting) Erase(ctx context.Context, user string) (bool, error) {
	if err := m.first(); err != nil {
		return false, err
	}
	return m.People.Erase(ctx, user)
}

// An erasure that somebody else ends while the nightly run goes on with it is not begun anew:
// what the user did since stays.
func TestNightlyRunMeetsAnotherErasure(t *testing.T) {
	t.Parallel()
	w := start(t)
	o := w.Eraser.Options
	met := &meeting{o.People, func() error { return errors.New("a process that ends here") }}
	o.People = met
	if _, err := erasure.New(o).Erase(t.Context(), gone); err == nil {
		t.Fatal("it did not end")
	}
	met.first = func() error {
		state, err := w.Eraser.Erase(t.Context(), gone)
		if err == nil && state.State == archive.ErasureDone {
			w.visit(t)
		}
		return err
	}
	if _, err := erasure.New(o).GoOn(t.Context()); err != nil {
		t.Error(err)
	}
	if got := w.score(t); got != 1 {
		t.Errorf("%d points of what was done since, want 1", got)
	}
	if state, err := w.Eraser.Erasure(t.Context(), gone); err != nil || state.State != archive.ErasureDone {
		t.Errorf("%+v, %v", state, err)
	}
}

// A message that is delivered again erases nothing that the user did since; a new message
// erases everything.
func TestMessageErasesOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	sent := board.MomentOf(now)
	erase := func(asked board.Moment) {
		if idle, err := w.Erase(t.Context(), gone, asked); !idle || err != nil {
			t.Fatalf("asked at %s: %t, %v", asked, idle, err)
		}
	}
	erase(sent)
	w.visit(t)
	erase(sent)
	erase(sent - 1_000)
	if got := w.score(t); got != 1 {
		t.Errorf("delivered again, it left %d points of 1", got)
	}
	erase(sent + 1_000)
	if got := w.score(t); got != 0 {
		t.Errorf("asked anew, it left %d points", got)
	}
	w.done(t, "asked anew", 0)
}

// A closed board that has expired never becomes final: it is removed, and an erasure that
// waited for it is done.
func TestExpiredBoardIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	w := start(t)
	harness.Hide(t, w.Live, gone, false)
	day := harness.Period(t, "2026-11-23")
	harness.ClosePeriod(t, w.Live, "activity", day)
	if state, err := w.Eraser.Erase(t.Context(), gone); err != nil || len(state.Waiting) != 1 {
		t.Fatalf("%+v, %v", state, err)
	}
	if err := w.Live.RemoveBoard(t.Context(), "activity", day); err != nil { // as a nightly run does
		t.Fatal(err)
	}
	if went, err := w.Eraser.GoOn(t.Context()); went.Done != 1 || went.Left != 0 || err != nil {
		t.Errorf("%+v, %v", went, err)
	}
	w.done(t, "with the board", 0)
}
