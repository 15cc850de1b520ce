package report_test

import (
	"fmt"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/report"
)

// What a user may not say is a fault, and named by its place.
func Example() {
	j := report.Judge{
		Ledger: ledger.New(activity.Default(), board.NewCalendar(time.UTC)),
		Sender: report.Sender{User: "ann"},
		Moment: board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)),
	}
	v, err := j.Report([]byte(`{"activities":[{"action":"like","target":"a1"},{"action":"like","target":"a2","user":"bob"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range v.Faults.All() {
		fmt.Println(f.Location, f.Message)
	}
	// Output: body.activities[1].user is for the forum's service to give
}
