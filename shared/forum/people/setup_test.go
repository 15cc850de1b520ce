package people_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/recording"
	"laurel/shared/store/items"
	"laurel/shared/store/table/dynamo"
	"laurel/shared/store/table/embedded"
)

// noon is when the clock of a forum stands.
var noon = board.MomentOf(harness.Noon)

// A forum has a clock that stands until it is moved.
type forum struct {
	*testing.T
	*harness.Forum
	now board.Moment
}

func open(t *testing.T, shards int) *forum {
	t.Helper()
	return openOn(t, harness.Setup{Table: embedded.New(time.Now), Shards: shards})
}

func openOn(t *testing.T, setup harness.Setup) *forum {
	t.Helper()
	f := &forum{T: t, now: noon}
	setup.Clock = func() time.Time { return f.now.Time() }
	f.Forum = harness.NewForum(t, setup)
	return f
}

func dynamoTable(t *testing.T) items.Table {
	t.Helper()
	endpoint, name := testserver.Table(t)
	return harness.Must(dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint}))(t)
}

// did records an activity of now, "ann like 1", and returns the status.
func (f *forum) did(text string) ledger.Status {
	f.Helper()
	acts := []activity.Activity{harness.Did(f, text, f.now)}
	results, err := f.Recorder.Record(f.Context(), acts, recording.Arrival{Now: f.now})
	harness.OK(f, errors.Join(err, results[0].Err))
	return results[0].Status
}

// board returns the users on a board of activity, "ann 2 bob 1".
func (f *forum) board(w board.Window) string {
	f.Helper()
	page := harness.Must(f.View.Read(f.Context(), board.View{Board: "activity", Period: f.period(w), Limit: 100}))(f)
	var on []string
	for _, p := range page.Places {
		on = append(on, p.User)
	}
	return strings.Join(on, " ")
}

func (f *forum) period(w board.Window) board.Period {
	return board.PeriodOf(w, f.Ledger.Calendar().Date(f.now))
}

// killedAtEachCall kills a process at each call of an act, in each way, and checks the forum, once more after the act
// was repeated.
func killedAtEachCall(t *testing.T, begin func() *forum, act func(*forum) error, check func(f *forum, again bool)) {
	t.Helper()
	f := begin()
	calls := -f.Table.All.Load()
	harness.OK(t, act(f))
	if calls += f.Table.All.Load(); calls < 2 {
		t.Fatalf("the act has %d calls", calls)
	}
	for _, fate := range []harness.Fate{harness.DiesBefore, harness.DiesWithin, harness.DiesAfter, harness.LosesAnswer} {
		for n := range calls {
			f := begin()
			f.Table.DieAt(n+1, fate)
			_ = act(f)
			f.Table.Reset()
			check(f, false)
			harness.OK(t, act(f))
			if check(f, true); t.Failed() {
				t.Fatalf("%s at call %d", fate, n+1)
			}
		}
	}
}

// finish continues erasures until none is running.
func (f *forum) finish() {
	f.Helper()
	for range 100 {
		done, err := f.People.GoOn(f.Context())
		if err == nil && done.Left == 0 {
			return
		}
		f.Fill()
		time.Sleep(time.Millisecond)
	}
	f.Fatal("an erasure does not end")
}
