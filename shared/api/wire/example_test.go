package wire_test

import (
	"fmt"
	"time"

	"laurel/shared/api/auth"
	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// A report with violations lists all of them, each with its location.
func Example() {
	decoder := wire.ReportDecoder{
		Rules: activity.Default(), Calendar: board.NewCalendar(time.UTC), Sender: auth.Caller{User: "ann"},
		Moment: board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)),
	}
	_, found := decoder.Report(
		[]byte(`{"activities":[{"action":"like"},{"action":"like","target":"a2","user":"bob"}],"x":1}`))
	for _, v := range found.All() {
		fmt.Println(v.Code, v.Location, v.Message)
	}
	// Output:
	// missing_field body.activities[0].target missing required field
	// service_only body.activities[1].user only the service may set this field
	// unknown_field body.x unknown field
}
