package night_test

import (
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/night"
	"laurel/shared/forum/recording"
)

// A writer that stalls after any of its calls of the table, while the day of its report is closed and
// made: a report that it answers as counted is on the final board. It reports for one month, then for two,
// which are written together.
func TestStalledWriter(t *testing.T) {
	t.Parallel()
	for _, days := range [][]string{{"2026-11-30"}, {"2026-11-30", "2026-12-01"}} {
		late := 0
		for write, stalled := int64(1), true; stalled; write++ {
			f := newForum(t, activity.Default())
			f.on("2026-11-30")
			f.did("bob like a1")
			f.on("2026-12-04") // a queue has had the report for days, and November 30 is due
			var acts []activity.Activity
			for _, day := range days {
				acts = append(acts, f.act("ann like a1", day), f.act("ann visit p1", day), f.act("ann follow bob", day))
			}
			p := f.start()
			stalled = false
			p.calls.AfterCall(write, func() {
				stalled = true
				f.nights()
			})
			results := harness.Must(p.Recorder.Record(t.Context(), acts, recording.Arrival{Now: acts[len(acts)-1].At}))(t)
			f.nights()
			f.expect("2026-11-30", board.PeriodRemoved)
			points := int64(0)
			for _, r := range results[:3] {
				if r.Err != nil || r.Status != ledger.Counted && r.Status != ledger.TooLate {
					t.Errorf("%+v", r)
				}
				points += r.Points
			}
			if points == 0 {
				late++
			}
			final := strings.Join(f.users("activity", "2026-11-30"), ", ")
			if want := map[int64]string{0: "bob 2", 5: "ann 5, bob 2"}[points]; final != want {
				t.Errorf("stalled after call %d: %d points, and the final board is %s", write, points, final)
			}
			f.same()
		}
		if late == 0 {
			t.Error("no report was late")
		}
	}
}

// A process that keeps its head, some seconds old, decides by it after the day was closed, and stalls for as long as a
// write may take, while others make a step as soon as they may: a report that it answers as counted is on the
// final board. One that reports later, and one after a stall of more, reads that the day is closed.
func TestReportsByALateHead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		age, stall time.Duration
		counts     bool
	}{
		{0, 0, true},
		{3 * time.Second, 0, true},
		{3 * time.Second, recording.WriteWithin - time.Second, true},
		{3 * time.Second, recording.WriteWithin + time.Second, false},
		{4 * time.Second, 0, false},
	} {
		f := newForum(t, activity.Default())
		f.on("2026-11-20")
		f.did("bob like a1")
		f.on("2026-11-24")
		p := f.start()
		p.App.Items.KeepHead(f.Real)
		harness.Must(p.App.Items.Head(t.Context()))(t)
		pass := func(d time.Duration) {
			for ; d > 0; d -= time.Second {
				f.Pass(time.Second)
				harness.Must(night.Tick(t.Context(), f.Options))(t)
			}
		}
		harness.Must(night.Tick(t.Context(), f.Options))(t)
		f.expect("2026-11-20", board.PeriodClosed)
		pass(c.age)
		p.calls.AfterCall(1, func() { pass(c.stall) })
		act := f.act("ann bookmark a1", "2026-11-20") // a like would ask for the forum's first article
		r := harness.Must(p.Recorder.Record(t.Context(), []activity.Activity{act}, recording.Arrival{Now: act.At}))(t)[0]
		if harness.OK(t, r.Err); (r.Status == ledger.Counted) != c.counts || r.Status == ledger.TooLate == c.counts {
			t.Errorf("after %s and a stall of %s: %s", c.age, c.stall, r.Status)
		}
		f.nights()
		want := map[bool]string{true: "bob 2, ann 2", false: "bob 2"}[c.counts]
		if final := strings.Join(f.users("activity", "2026-11-20"), ", "); final != want {
			t.Errorf("after %s and a stall of %s the final board is %s", c.age, c.stall, final)
		}
		f.same()
	}
}
