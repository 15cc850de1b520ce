package night_test

import (
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/record"
)

// A writer that stalls after any of its calls of the table, while the day of what it reports is closed and
// made: what it answers is counted on that day is on the final board. It reports for one month, then for
// two, which are written together.
func TestStalledWriter(t *testing.T) {
	t.Parallel()
	for _, days := range [][]string{{"2026-11-30"}, {"2026-11-30", "2026-12-01"}} {
		late := 0
		for at, stalled := int64(1), true; stalled; at++ {
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
			p.calls.AfterCall(at, func() {
				stalled = true
				f.nights()
			})
			results := harness.Must(p.Recorder.Record(t.Context(), acts, record.Arrival{Now: acts[len(acts)-1].At}))(t)
			f.nights()
			f.is("2026-11-30", board.PeriodRemoved)
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
				t.Errorf("stalled after call %d: %d points, and the final board is %s", at, points, final)
			}
			f.same()
		}
		if late == 0 {
			t.Error("no report was late")
		}
	}
}
