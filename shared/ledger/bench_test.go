package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// BenchmarkDecide decides on ten activities of a user with so many entries, up to
// the bytes of the new pages: what recording costs in Go, for one user.
func BenchmarkDecide(b *testing.B) {
	for _, entries := range []int{100, 600} {
		b.Run(fmt.Sprintf("page of %d", entries), func(b *testing.B) {
			l, pages, now := userMonth(b, entries)
			arrival := ledger.Arrival{Now: now}
			var acts []activity.Activity
			for i := range 10 {
				word := []string{"like", "unlike", "bookmark", "comment", "follow"}[i%5]
				acts = append(acts, activity.Activity{
					User: "1", Action: word, Target: fmt.Sprint(900_000 + i*7),
					At: now - board.Moment(i),
				})
			}
			b.ReportAllocs()
			for b.Loop() {
				needed := ledger.Pages{}
				for _, key := range l.Needs(acts, arrival) {
					needed[key] = pages[key]
				}
				if d, err := l.Decide(needed, nil, nil, acts, arrival); err != nil || d.Empty() {
					b.Fatalf("%+v, %v", d, err)
				}
			}
		})
	}
}

// BenchmarkMerge merges all that a user did in a month into nothing: what replaying
// costs in Go, sorted by user.
func BenchmarkMerge(b *testing.B) {
	l, rows := userRows(b, 600)
	needed := some(nil, l.MergeNeeds(rows))
	b.ReportAllocs()
	for b.Loop() {
		if c, err := l.Merge(needed, nil, nil, rows, true); err != nil || c.Empty() {
			b.Fatalf("%+v, %v", c, err)
		}
	}
	b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds(), "rows/s")
}

// userRows returns what was accepted of a user with so many entries in a month.
func userRows(tb testing.TB, entries int) (*ledger.Ledger, []ledger.Row) {
	tb.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	s := newMemory(l)
	start := board.MomentOf(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC))
	step := board.Moment((29 * 24 * time.Hour).Milliseconds() / int64(entries))
	var acts []activity.Activity
	for i := range entries {
		acts = append(acts, activity.Activity{
			User: "1", Action: []string{"like", "bookmark", "publish"}[i%3], Target: fmt.Sprint(100_000 + i*37),
			At: start + step*board.Moment(i),
		})
	}
	s.record(tb, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
	return l, s.rows["1"]
}

// userMonth makes a user's pages with so many month entries spread over
// November.
func userMonth(tb testing.TB, entries int) (*ledger.Ledger, ledger.Pages, board.Moment) {
	tb.Helper()
	l := defaults()
	start := board.MomentOf(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC))
	s := newMemory(l)
	step := board.Moment((29 * 24 * time.Hour).Milliseconds() / int64(entries))
	var acts []activity.Activity
	for i := range entries {
		word := []string{"like", "bookmark", "comment"}[i%3]
		a := activity.Activity{User: "1", Action: word, Target: fmt.Sprint(100_000 + i*37), At: start + step*board.Moment(i)}
		if word == "comment" {
			a.Ref = fmt.Sprint(5_000_000 + i*11)
		}
		acts = append(acts, a)
	}
	s.record(tb, acts, ledger.Arrival{Now: board.Latest, AnyAge: true})
	return l, s.pages["1"], start + step*board.Moment(entries)
}
