package reference_test

import (
	"fmt"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger/reference"
)

func Example() {
	l := reference.New(activity.Default(), board.NewCalendar(time.UTC))
	did := func(action, when string) {
		at, err := board.ParseMoment(when)
		if err != nil {
			panic(err)
		}
		l.Add(activity.Activity{User: "ann", Action: action, Target: "42", At: at})
	}
	did("like", "2026-11-20T10:00:00Z")
	did("comment", "2026-11-20T11:00:00Z")
	did("unlike", "2026-11-21T09:00:00Z") // takes the like's points back from the 20th

	score, reached := l.Day("ann", "activity", board.DateOf(2026, time.November, 20))
	fmt.Println(score, "reached at", reached)
	// Output: 3 reached at 2026-11-20T11:00:00Z
}
