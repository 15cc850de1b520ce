package erasure_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/ledger"
)

// done checks that nothing of the erased user is left, and that the state is done.
func (w *harness) done(t *testing.T, what string, n int) {
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
}

// An erasure that was interrupted at any call, before or after its effect, and then
// repeated or continued by the nightly run, leaves nothing of the user.
func TestErasureInterruptedAnywhere(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.fill(t)
	whole := w.snapshot(t)
	w.cut.calls = 0
	if state, err := w.Eraser.Erase(t.Context(), gone); err != nil || state.State != archive.ErasureDone {
		t.Fatalf("%+v, %v", state, err)
	}
	w.done(t, "without a cut", 0)
	calls := w.cut.calls
	t.Logf("%d calls", calls)
	if calls < 20 {
		t.Errorf("%d calls are not all of it", calls)
	}
	for n := range calls - 2 { // the last are of done
		for _, unsaid := range []bool{false, true} {
			w.restore(t, whole)
			w.cut.calls, w.cut.at, w.cut.unsaid = 0, n, unsaid
			if state, err := w.Eraser.Erase(t.Context(), gone); err == nil {
				continue // fewer calls than before: some are made at once
			} else if !errors.Is(err, errCut) {
				t.Errorf("cut at call %d: %+v, %v", n, state, err)
			}
			w.cut.at = -1
			w.restart()
			if n%2 == 0 {
				if users, err := w.Archive.Erasing(t.Context()); err != nil || len(users) == 0 && n > 3 && len(w.left(t)) > 0 {
					t.Errorf("cut at call %d: the night would not know, %v", n, err)
				}
				w.night(t, now)
			}
			if _, err := w.Eraser.Erasure(t.Context(), gone); n%2 == 1 || err != nil {
				if _, err := w.Eraser.Erase(t.Context(), gone); err != nil {
					t.Fatal(err)
				}
			}
			w.done(t, "cut at call", n)
		}
	}
}

// An erasure with a closed day waits until the nightly run has made the day final.
func TestErasureWaitsForClosedPeriods(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.fill(t)
	if err := w.store.SetHidden(t.Context(), gone, false); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"activity", "steps"} {
		if err := w.store.ClosePeriod(t.Context(), name, board.PeriodOf(board.Day, board.DateOf(2026, 11, 23))); err != nil {
			t.Fatal(err)
		}
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
	if done, left, err := w.Eraser.GoOn(t.Context()); done != 0 || left != 1 || err != nil {
		t.Errorf("before the night: %d done, %d left, %v", done, left, err)
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
	w := newHarness(t)
	w.fill(t)
	hurried, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
	defer cancel()
	state, err := w.Eraser.Erase(hurried, gone)
	if err != nil || state.State != archive.ErasureRunning || erasure.Idle(state) {
		t.Fatalf("with no time: %+v, %v", state, err)
	}
	if done, left, err := w.Eraser.GoOn(hurried); done != 0 || left != 1 || err != nil {
		t.Errorf("with no time: %d done, %d left, %v", done, left, err)
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
	w := newHarness(t)
	w.fill(t)
	if _, err := w.Eraser.Erase(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	if err := w.Archive.List(t.Context(), gone); err != nil { // as if the process had ended before
		t.Fatal(err)
	}
	again := []activity.Activity{{User: gone, Action: "visit", Target: "p", At: board.MomentOf(now)}}
	if r := w.store.Record(t.Context(), again, ledger.Arrival{Now: board.MomentOf(now)}); r[0].Err != nil ||
		r[0].Points != 1 {
		t.Fatalf("%+v", r)
	}
	if done, left, err := w.Eraser.GoOn(t.Context()); done != 1 || left != 0 || err != nil {
		t.Errorf("%d done, %d left, %v", done, left, err)
	}
	if users, err := w.Archive.Erasing(t.Context()); len(users) > 0 || err != nil {
		t.Errorf("still listed: %q, %v", users, err)
	}
	view := board.View{Board: "activity", Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 24)), User: gone}
	page, err := w.store.Read(t.Context(), view)
	if err != nil || page.Standing.Score != 1 {
		t.Errorf("what was done since: %+v, %v", page.Standing, err)
	}
}

// A message that is delivered again erases nothing that the user did since; a new message
// erases everything.
func TestMessageErasesOnce(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.fill(t)
	sent := board.MomentOf(now)
	view := board.View{Board: "activity", Period: board.PeriodOf(board.Day, board.DateOf(2026, 11, 24)), User: gone}
	score := func() int64 {
		page, err := w.store.Read(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		return page.Standing.Score
	}
	erase := func(asked board.Moment) {
		if idle, err := w.Erase(t.Context(), gone, asked); !idle || err != nil {
			t.Fatalf("asked at %s: %t, %v", asked, idle, err)
		}
	}
	erase(sent)
	again := []activity.Activity{{User: gone, Action: "visit", Target: "p", At: sent}}
	if r := w.store.Record(t.Context(), again, ledger.Arrival{Now: sent}); r[0].Err != nil {
		t.Fatal(r[0].Err)
	}
	erase(sent)
	erase(sent - 1_000)
	if got := score(); got != 1 {
		t.Errorf("delivered again, it left %d points of 1", got)
	}
	erase(sent + 1_000)
	if got := score(); got != 0 {
		t.Errorf("asked anew, it left %d points", got)
	}
	w.done(t, "asked anew", 0)
}

// A closed board that has expired never becomes final: it is removed, and an erasure that
// waited for it is done.
func TestExpiredBoardIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	w := newHarness(t)
	w.fill(t)
	if err := w.store.SetHidden(t.Context(), gone, false); err != nil {
		t.Fatal(err)
	}
	day := board.PeriodOf(board.Day, board.DateOf(2026, 11, 23))
	if err := w.store.ClosePeriod(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
	if state, err := w.Eraser.Erase(t.Context(), gone); err != nil || len(state.Waiting) != 1 {
		t.Fatalf("%+v, %v", state, err)
	}
	if err := w.store.RemoveBoard(t.Context(), "activity",
		day); err != nil { // as a night does whose time to keep it is over
		t.Fatal(err)
	}
	if done, left, err := w.Eraser.GoOn(t.Context()); done != 1 || left != 0 || err != nil {
		t.Errorf("%d done, %d left, %v", done, left, err)
	}
	w.done(t, "with the board", 0)
}
