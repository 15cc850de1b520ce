package main

import (
	"encoding/json"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/app"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// scheduled is a forum whose function the schedule calls.
type scheduled struct {
	*harness.Forum
	handle func() (app.Scheduled, error)
}

func newScheduled(t *testing.T, s harness.Setup) *scheduled {
	t.Helper()
	f := harness.NewForum(t, s).Serve()
	handle := handler(f.App, func() time.Time { return f.Now })
	return &scheduled{f, func() (app.Scheduled, error) {
		answer, err := handle(t.Context(), []byte(`{"task":"schedule"}`))
		done, _ := answer.(app.Scheduled)
		return done, err
	}}
}

// at calls it at a moment, and returns the night that was run, nil for none.
func (f *scheduled) at(moment string) *nightly.Result {
	f.TB.Helper()
	f.Now = harness.At(f.TB, moment).Time()
	done, err := f.handle()
	if err != nil {
		f.TB.Errorf("%s: %v", moment, err)
	}
	return done.Night
}

// When the day has turned the next call makes the night, and the others make none; an operator's
// run counts, too.
func TestTheScheduleMakesOneNightADay(t *testing.T) {
	t.Parallel()
	f := newScheduled(t, harness.Setup{})
	f.Did("ann like a1")
	for _, call := range []struct {
		at    string
		night bool
		moved int
	}{
		{"2026-11-20T12:01", true, 0}, // the first of a forum
		{"2026-11-20T12:06", false, 0},
		{"2026-11-23T23:59", true, 0},
		{"2026-11-24T00:04", true, 1},
		{"2026-11-24T00:09", false, 0},
		{"2026-11-24T23:59", false, 0},
	} {
		night := f.at(call.at)
		if (night != nil) != call.night || (night != nil && len(night.Moved) != call.moved) {
			t.Errorf("%s: %+v", call.at, night)
		}
	}
	f.Now = harness.At(t, "2026-11-25T00:01").Time()
	if _, err := handler(f.App, f.Clock)(t.Context(), []byte(`{}`)); err != nil {
		t.Error(err)
	}
	if night := f.at("2026-11-25T00:04"); night != nil {
		t.Errorf("after somebody's own run: %+v", night)
	}
}

// A call with nothing to do takes few round trips.
func TestACallWithNothingToDoIsCheap(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	f := newScheduled(t, harness.Setup{Redis: client})
	f.Did("ann like a1")
	for _, moment := range []string{"2026-11-20T12:10", "2026-11-20T13:30", "2026-11-20T13:35"} {
		f.at(moment)
	}
	before := f.Table.Reads.Load()
	trips.Expect(t, "to Redis", 1, func() { f.at("2026-11-20T13:40") })
	if reads := f.Table.Reads.Load() - before; reads > 25 { // 16 of them at once, for what is pending
		t.Errorf("%d reads of the table", reads)
	}
}

// A call while a night runs makes no second one, and does the rest.
func TestNoNightBesideANight(t *testing.T) {
	t.Parallel()
	f := newScheduled(t, harness.Setup{})
	f.Did("ann like a1")
	reads := func() int64 {
		before := f.Table.Reads.Load()
		f.Now = f.Now.AddDate(0, 0, 1)
		if done, err := f.handle(); err != nil || done.Night == nil {
			t.Fatalf("the night: %+v, %v", done, err)
		}
		return f.Table.Reads.Load() - before
	}
	reads()
	all, beside := reads(), 0
	const looks = 25
	for n := range int64(looks) {
		f.Table.After = map[int64]func(){f.Table.Reads.Load() + 1 + all*n/looks: func() {
			if _, release, err := f.Kept.State.Hold(t.Context(), "nightly"); err == nil {
				release() // the night has not begun, or is over
				return
			}
			beside++
			if done, err := f.handle(); err != nil || done.Night != nil {
				t.Errorf("beside a night: %+v, %v", done, err)
			}
		}}
		reads()
	}
	if beside < 5 {
		t.Errorf("%d calls beside a night", beside)
	}
}

// A night that fails is tried again, not by every call, and not while Redis is not filled.
func TestTheScheduleTriesAgain(t *testing.T) {
	t.Parallel()
	f := newScheduled(t, harness.Setup{})
	f.Did("ann like a1")
	pages := redisstore.PagesKey(0, "ann")
	f.Redis.Del(t.Context(), pages)
	f.Redis.Set(t.Context(), pages, "damaged", 0)
	tried := 0
	for f.Now = harness.At(t, "2026-11-24T00:02").Time(); f.Now.Hour() < 3; f.Now = f.Now.Add(5 * time.Minute) {
		if done, err := f.handle(); done.Night != nil {
			tried++
			if err == nil || len(done.Night.Failed) == 0 || done.Overdue <= 0 {
				t.Errorf("%s: %+v, %v", f.Now, done, err)
			}
		}
	}
	if tried < 4 || tried > 7 {
		t.Errorf("tried %d times", tried)
	}
	f.Redis.FlushDB(t.Context())
	f.Now = f.Now.Add(time.Hour)
	_, release, err := f.Kept.State.Hold(t.Context(), "recovery")
	if err != nil {
		t.Fatal(err)
	}
	before := f.nights()
	if done, err := f.handle(); err != nil || !done.Held || done.Night != nil || f.nights() != before {
		t.Errorf("while Redis is filled: %+v, %v", done, err)
	}
	release()
	done, err := f.handle()
	if err != nil || done.Rebuilt == nil || done.Night == nil || len(done.Night.Moved) != 1 || done.Overdue != 0 {
		t.Errorf("filled: %+v, %v", done, err)
	}
	if f.Now = f.Now.Add(5 * time.Minute); f.nights() != `{"complete":"2026-11-24"}` {
		t.Errorf("complete: %s", f.nights())
	}
}

// nights is what the table has of the nights.
func (f *scheduled) nights() string {
	f.TB.Helper()
	text, err := f.Kept.State.Cursor(f.TB.Context(), state.CursorNights)
	if err != nil {
		f.TB.Fatal(err)
	}
	return text
}

// The line of each call tells for how long the night has been due, which an alarm reads.
func TestEachCallSaysHowLate(t *testing.T) {
	t.Parallel()
	f := newScheduled(t, harness.Setup{})
	f.Did("ann like a1")
	f.at("2026-11-20T12:10")
	f.Now = harness.At(t, "2026-11-21T07:30").Time()
	_, release, err := f.Kept.State.Hold(t.Context(), "nightly") // somebody else runs it
	if err != nil {
		t.Fatal(err)
	}
	f.Out.Reset()
	f.at("2026-11-21T07:30")
	release()
	f.at("2026-11-21T07:35")
	var late []float64
	for lines := json.NewDecoder(&f.Out.Buffer); lines.More(); {
		var line struct {
			Msg          string  `json:"msg"`
			OverdueHours float64 `json:"overdue"`
		}
		if err := lines.Decode(&line); err != nil {
			t.Fatal(err)
		}
		if line.Msg == "schedule" {
			late = append(late, line.OverdueHours)
		}
	}
	if len(late) != 2 || late[0] != 7.5 || late[1] != 0 {
		t.Errorf("overdue by %v hours", late)
	}
}
