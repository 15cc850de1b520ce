package ledger_test

import (
	"fmt"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

func Example() {
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	acts := []activity.Activity{
		{User: "ada", Action: "like", Target: "42", At: now},
		{User: "ada", Action: "comment", Target: "42", Ref: "c7", At: now},
	}
	arrival := ledger.Arrival{Now: now}
	pages := ledger.Pages{}
	for _, key := range l.Needs(acts, arrival) {
		pages[key] = "" // a store reads them
	}
	d, err := l.Decide(pages, nil, nil, acts, arrival)
	if err != nil {
		panic(err)
	}
	for _, r := range d.Receipts {
		fmt.Println(r.Status, r.Points, r.Scores)
	}
	for _, m := range d.Scores { // a store writes them, and the pages
		fmt.Println(m.Board, m.Period, m.Packed.Score())
	}
	// Output:
	// counted 2 [{day 2} {month 2}]
	// counted 3 [{day 5} {month 5}]
	// activity 2026-11-20 5
	// activity 2026-11 5
}
