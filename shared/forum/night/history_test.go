package night_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// history are activities from before a forum's table, by their days.
var history = map[string][]string{
	"2025-06-03": {"ann like h1", "bob comment h1"},
	"2026-08-10": {"cid like h1", "cid like h2", "dan visit h1"},
	"2026-10-31": {"ann visit h1", "ann like h3"},
	"2026-11-01": {"ann unlike h3", "eve like h4"},
	"2026-11-14": {"bob like h1", "bob visit h2", "cid comment h4"},
	"2026-11-19": {"cid like h5", "cid visit h5", "eve comment h5"},
}

// imported loads the history in two files, with a tick between them.
func (f *forum) imported() {
	f.Helper()
	days := slices.Sorted(maps.Keys(history))
	now := board.PeriodOf(board.Month, f.App.Ledger.Calendar().Date(f.moment())).First().Month()
	var months []board.MonthOf
	for m := f.period(days[0]).First().Month(); m <= now; m++ {
		months = append(months, m)
	}
	f.hold("history", months...)
	for i, day := range days {
		for _, text := range history[day] {
			f.merge(text, day)
		}
		if i == len(days)/2 {
			f.tick()
		}
	}
	f.release("history")
}

// reported makes members report from the table's beginning on, with the nights between.
func (f *forum) reported(days int, each func(day int)) {
	f.Helper()
	for day := range days {
		f.Set(harness.Noon.AddDate(0, 0, day))
		f.did(fmt.Sprint("ann like d", day), fmt.Sprint("bob visit d", day%3), "cid visit h5", "dan like h1")
		each(day)
		if f.nights(); day > 3 { // before there is no final board
			f.same()
		}
	}
}

// totals are everybody's, by the user.
func (f *forum) totals() map[string][]ledger.MonthTotal {
	f.Helper()
	all := map[string][]ledger.MonthTotal{}
	for _, user := range []string{"ann", "bob", "cid", "dan", "eve"} {
		if p := f.person(user).Value; p != nil {
			all[user] = p.Totals
		}
	}
	return all
}

// An import before the first report, and one days after it with the nights between, give the same boards: live,
// final and of all time.
func TestHistoryMayComeSecond(t *testing.T) {
	t.Parallel()
	var first map[string][]string
	var totals map[string][]ledger.MonthTotal
	for _, on := range []int{-1, 5, 13} {
		f := newForumOf(t, everyWindow(t), true)
		if on < 0 {
			f.imported()
		}
		f.reported(15, func(day int) {
			if day == on {
				f.imported()
			}
		})
		for _, later := range []string{"2026-12-20", "2027-02-10", "2027-04-10"} {
			f.on(later)
			f.nights()
			f.same()
		}
		f.expect("2025-06-03", board.PeriodRemoved)
		f.expect("2026", board.PeriodRemoved)
		finals := f.finals()
		if on < 0 {
			first, totals = finals, f.totals()
			if len(first["activity 2026-11-19"]) != 2 || len(totals) != 5 {
				t.Fatalf("%v, %v", first, totals)
			}
			continue
		}
		if diff := cmp.Diff(first, finals); diff != "" {
			t.Errorf("history on day %d (-first +second):\n%s", on, diff)
		}
		if diff := cmp.Diff(totals, f.totals()); diff != "" {
			t.Errorf("totals with history on day %d (-first +second):\n%s", on, diff)
		}
	}
}

// Periods that ended before the table began wait for 14 days, or until an operator says that history is in. Those
// that ended afterwards do not.
func TestPeriodsBeforeTheTableWaitForHistory(t *testing.T) {
	t.Parallel()
	for _, said := range []bool{false, true} {
		f := newForumOf(t, everyWindow(t), true)
		f.imported()
		f.did("ann like a1")
		f.Set(harness.Noon.Add(14*24*time.Hour - 5*time.Minute))
		r := f.nights()
		f.expect("2026-11-19", board.PeriodLive)
		f.expect("2026-11-20", board.PeriodRemoved)
		f.expect("2025-06", board.PeriodLive)
		left := slices.IndexFunc(r.Left, func(l items.Left) bool {
			return l.Reason == items.ReasonHistory && l.Next.Equal(harness.Noon.AddDate(0, 0, 14))
		})
		if left < 0 || f.head().Night == 0 || r.Held() > 0 {
			t.Errorf("held %d, left %+v", r.Held(), r.Left)
		}
		if said {
			harness.OK(t, f.App.Items.HistoryIsIn(t.Context()))
		} else {
			f.Set(harness.Noon.Add(14 * 24 * time.Hour))
		}
		f.nights()
		f.expect("2026-11-19", board.PeriodRemoved)
		f.expect("2025-06", board.PeriodRemoved)
		f.same()
	}
}
