package recording_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/catchup"
	"laurel/shared/forum/voids"
	"laurel/shared/store/items"
)

// scoreOf returns a user's score on the month's board.
func (w *walked) scoreOf(user string) int64 {
	w.Helper()
	p := board.PeriodOf(board.Month, w.ledger.Calendar().Date(w.now))
	page := harness.Must(w.view.Read(w.Context(), board.View{Board: "activity", Period: p, User: user}))(w)
	return page.Standing.Score
}

// pass makes a pass of voids, without a wait.
func (w *walked) pass() items.Ongoing {
	w.Helper()
	return harness.Must(w.Voids.Pass(w.Context(), 0))(w)
}

func (w *walked) wantState(target string, want items.State) items.Void {
	w.Helper()
	v, err := w.Voids.Of(w.Context(), target)
	if err != nil || v.State != want {
		w.Errorf("%s: %+v, %v, want %s", target, v, err, want)
	}
	return v
}

// Everything counts until a pass begins; from then on arriving acts are undone, and after the pass the
// earlier ones. Acts after the void's moment count, and so do follows.
func TestVoid(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 2)
	early := f.now.Add(-time.Hour)
	f.on("like", "spam", early, "ann", "bob")
	f.on("follow", "spam", early, "ann")
	if _, err := f.Voids.Set(t.Context(), "spam", f.now.Add(-time.Minute), ""); err != nil {
		t.Fatal(err)
	}
	f.wantState("spam", items.Waiting)
	if r := f.on("visit", "spam", early, "cid")[0]; r.Status != ledger.Counted {
		t.Errorf("while it waits: %s", r.Status)
	}
	done, err := f.Voids.Pass(t.Context(), time.Hour)
	if err != nil || done.Left != 1 || done.Done != 0 || done.Since.IsZero() {
		t.Errorf("%+v, %v", done, err)
	}
	f.wantState("spam", items.Running)
	if r := f.on("like", "spam", early, "dan")[0]; r.Status != ledger.Superseded {
		t.Errorf("while it runs: %s", r.Status)
	}
	if n := f.scoreOf("bob"); n != 2 {
		t.Errorf("before the wait: %d points", n)
	}
	lost := f.start()
	lost.calls.Before = func(c harness.Call) harness.Fate {
		if c.N >= 50 && !c.Trip && c.Writes == 0 { // all reads
			return harness.LosesAnswer
		}
		return harness.Lives
	}
	if done, err := lost.Voids.Pass(t.Context(), 0); err == nil || done.Left != 1 {
		t.Errorf("without an answer: %+v, %v", done, err)
	}
	if done := f.pass(); done.Done != 1 || done.Left != 0 {
		t.Errorf("%+v", done)
	}
	f.wantState("spam", items.Done)
	f.compare(catchup.Request{}) // users who could not be read were not shown
	f.on("like", "spam", f.now, "bob")
	for user, want := range map[string]int64{"ann": 2, "bob": 2, "cid": 0, "dan": 0} {
		if n := f.scoreOf(user); n != want {
			t.Errorf("%s has %d points, want %d", user, n, want)
		}
	}
	if _, err := f.Voids.Withdraw(t.Context(), "spam", ""); !errors.Is(err, voids.ErrBegun) {
		t.Error(err)
	}
}

// A void that waits can be withdrawn; an earlier one of the target stays in force.
func TestVoidIsWithdrawn(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	set := func(until board.Moment) {
		if _, err := f.Voids.Set(t.Context(), "spam", until, ""); err != nil {
			t.Fatal(err)
		}
	}
	withdrawn := func(want items.State) items.Void {
		v, err := f.Voids.Withdraw(t.Context(), "spam", "")
		if err != nil || v.State != want {
			t.Errorf("%+v, %v, want %s", v, err, want)
		}
		return v
	}
	set(f.now)
	withdrawn(items.Withdrawn)
	for _, do := range []func() (items.Void, error){
		func() (items.Void, error) { return f.Voids.Of(t.Context(), "spam") },
		func() (items.Void, error) { return f.Voids.Withdraw(t.Context(), "spam", "") },
	} {
		if _, err := do(); !errors.Is(err, voids.ErrNone) {
			t.Error(err)
		}
	}
	early := f.now.Add(-time.Hour)
	set(early)
	f.pass()
	set(early - 1) // changes nothing
	f.wantState("spam", items.Done)
	set(f.now)
	if v := f.wantState("spam", items.Waiting); v.Begun != early {
		t.Errorf("%+v", v)
	}
	if r := f.on("like", "spam", early, "ann")[0]; r.Status != ledger.Superseded {
		t.Errorf("by the earlier one: %s", r.Status)
	}
	if v := withdrawn(items.Done); v.Until != early {
		t.Errorf("%+v", v)
	}
}

// Beside reports, in calls that have little time, killed and doubled, no act up to the moment
// counts in the end, and all later acts do.
func TestVoidPassBesideReports(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 3)
	const users = 150
	var names []string
	for i := range users {
		names = append(names, fmt.Sprint("u", i))
	}
	early := f.now.Add(-time.Hour)
	f.on("visit", "fine", early, names...)
	f.on("like", "spam", early, names[:100]...)
	for _, target := range []string{"spam", "junk"} {
		if _, err := f.Voids.Set(t.Context(), target, f.now.Add(-time.Minute), ""); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	ended := make(chan struct{})
	for n := range 2 {
		all.Go(func() {
			for calls := 0; ; calls++ {
				within, cancel := context.WithTimeout(t.Context(), time.Second) // a pass keeps two seconds of it
				if calls > 20 {
					within = t.Context()
				}
				done, err := f.Voids.Pass(within, time.Millisecond)
				cancel()
				if err != nil {
					t.Error(err)
				}
				select {
				case <-ended:
					if done.Left == 0 || err != nil {
						return
					}
				case <-time.After(time.Duration(n) * time.Millisecond):
				}
			}
		})
	}
	for i, user := range names {
		f.on("bookmark", "junk", early, user)
		if i%2 == 0 {
			f.on("like", "spam", f.now, user)
		}
	}
	close(ended)
	all.Wait()
	f.pass()
	for i, user := range names {
		want := int64(1)
		if i%2 == 0 {
			want = 3
		}
		if n := f.scoreOf(user); n != want {
			t.Errorf("%s has %d points, want %d", user, n, want)
		}
	}
}

// Without a live month up to its moment a void is dropped, and the head says when there are none.
func TestVoidIsDropped(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	f.on("like", "spam", f.now, "ann")
	if _, err := f.Voids.Set(t.Context(), "spam", f.now, ""); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		f.pass()
	}
	f.wantState("spam", items.Done)
	_, err := f.all.ChangeHead(t.Context(), func(h *items.Head) (err error) {
		month := board.PeriodOf(board.Month, f.ledger.Calendar().Date(f.now))
		h.Life, err = h.Life.Apply(month, board.EventClose, f.now)
		return err
	})
	if err != nil || !f.headNow().Voids {
		t.Fatalf("%+v, %v", f.headNow(), err)
	}
	f.pass()
	f.pass()
	if _, err := f.Voids.Of(t.Context(), "spam"); !errors.Is(err, voids.ErrNone) || f.headNow().Voids {
		t.Errorf("%v, %+v", err, f.headNow())
	}
}

// There is room for a maximum of voids, and for a later moment of one of them.
func TestTooManyVoids(t *testing.T) {
	t.Parallel()
	f := newDefault(t, 1)
	harness.FillVoids(t, f.all, f.now)
	if _, err := f.Voids.Set(t.Context(), "one more", f.now, ""); !errors.Is(err, voids.ErrTooMany) {
		t.Error(err)
	}
	if v, err := f.Voids.Set(t.Context(), "void-7", f.now+1, ""); err != nil || v.Until != f.now+1 {
		t.Errorf("%+v, %v", v, err)
	}
	if done := f.pass(); done.Done != voids.Max {
		t.Errorf("%+v", done)
	}
}
