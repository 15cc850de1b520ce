package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

// BenchmarkApply opens a page of so many entries, applies ten activities and
// writes the pages: what recording costs in Go, for one user.
func BenchmarkApply(b *testing.B) {
	for _, entries := range []int{100, 600} {
		b.Run(fmt.Sprintf("page of %d", entries), func(b *testing.B) {
			l, pages, now := userMonth(b, entries)
			arrival := ledger.Arrival{Now: now}
			var acts []activity.Activity
			for i := range 10 {
				word := []string{"like", "unlike", "bookmark", "comment", "follow"}[i%5]
				acts = append(acts, activity.Activity{User: "1", Action: word, Target: fmt.Sprint(900_000 + i*7), At: now - board.Moment(i)})
			}
			b.ReportAllocs()
			for b.Loop() {
				open := map[ledger.PageKey]string{}
				for _, key := range l.Needs(acts, arrival) {
					open[key] = pages[key]
				}
				book, err := l.Open(open, nil)
				if err != nil {
					b.Fatal(err)
				}
				for _, a := range acts {
					book.Apply(a, arrival)
				}
				if book.Changes().Empty() {
					b.Fatal("nothing to write")
				}
			}
		})
	}
}

// userMonth makes a user's pages with so many month entries spread over
// November.
func userMonth(tb testing.TB, entries int) (*ledger.Ledger, map[ledger.PageKey]string, board.Moment) {
	tb.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	start := board.MomentOf(time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC))
	s := newMemory(l)
	s.pages["1"] = map[ledger.PageKey]string{}
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
	arrival := ledger.Arrival{Now: board.Latest, AnyAge: true}
	open := map[ledger.PageKey]string{}
	for _, key := range l.Needs(acts, arrival) {
		open[key] = ""
	}
	book, err := l.Open(open, nil)
	if err != nil {
		tb.Fatal(err)
	}
	for _, a := range acts {
		book.Apply(a, arrival)
	}
	s.write("1", book.Changes())
	return l, s.pages["1"], start + step*board.Moment(entries)
}
