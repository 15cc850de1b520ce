package ledger_test

import (
	"fmt"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

func Example() {
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	acts := []activity.Activity{
		{User: "ada", Action: "like", Target: "42", At: now},
		{User: "ada", Action: "comment", Target: "42", Ref: "c7", At: now},
	}
	ada := &ledger.Account{User: "ada", Months: map[board.MonthOf]*ledger.MonthLedger{}}
	for _, m := range l.MonthsOf(acts, nil) {
		ada.Months[m] = nil // a store reads them
	}
	d, err := l.DecideAccount(ada, acts, ledger.Surroundings{Now: now})
	if err != nil {
		panic(err)
	}
	for _, r := range d.Receipts {
		fmt.Println(r.Status, r.Points, r.Scores)
	}
	for _, m := range d.Changed { // a store writes them
		fmt.Println(m, len(d.Account.Months[m].Encode()), "bytes")
	}
	for _, moved := range d.Moved { // the view shows them
		fmt.Println(moved.Board, moved.Period, moved.Packed.Score())
	}
	// Output:
	// counted 2 [{day 2} {month 2}]
	// counted 3 [{day 5} {month 5}]
	// 2026-11 36 bytes
	// activity 2026-11-20 5
	// activity 2026-11 5
}
