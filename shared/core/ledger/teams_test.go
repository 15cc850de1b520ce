package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// A person's place on a board of teams is that of a member of the first of its teams whose group the person has. A
// person without a team, or left out by the board's conditions, has no place; a receipt tells the home board's
// scores all the same.
func TestPlaceOfAMember(t *testing.T) {
	t.Parallel()
	rules := harness.Must(activity.ParseRules([]byte(`{"boards":{"home":{"windows":["day","month"]},
		"houses":{"counts":"home","windows":["day","month","7d"],"teams":["red","blue"],"people":{"notIn":["bots"]}}},
		"versions":[{"actions":{"like":{"board":"home","points":2,"entry":"month","by":["user"]}}}]}`)))(t)
	l := ledger.New(rules, board.NewCalendar(time.UTC))
	now := board.MomentOf(time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC))
	today := l.Calendar().Date(now)
	for _, row := range []struct {
		groups []string
		team   int
	}{
		{nil, 0},
		{[]string{"red"}, 1},
		{[]string{"blue", "red"}, 1},
		{[]string{"blue"}, 2},
		{[]string{"bots", "red"}, 0},
		{[]string{"green"}, 0},
	} {
		a := &ledger.Account{User: "ann", Groups: row.groups}
		a.Months = map[board.MonthOf]*ledger.MonthLedger{today.Month(): nil}
		acts := []activity.Activity{{User: "ann", Action: "like", Target: "t", At: now, ByUser: true}}
		d := harness.Must(l.DecideAccount(a, acts, ledger.Surroundings{Now: now, Today: today}))(t)
		if scores := fmt.Sprint(d.Receipts[0].Scores); scores != "[{day 2} {month 2}]" {
			t.Error(row, scores)
		}
		shown := harness.Must(l.Places(d.Account, nil, today, today.Month()))(t)
		shown = append(shown, harness.Must(l.Rolling(d.Account, nil, today, today))(t)...)
		on := 0
		for _, p := range shown {
			if p.Board != "houses" || !p.Period.Has(today) {
				continue
			}
			if on++; p.Packed != board.PackMember(2, row.team) {
				t.Errorf("%v: %s: %d for %d", row, p.Period, p.Packed.Score(), p.Packed.Team())
			}
		}
		if on != 3 {
			t.Error(row, on, "places")
		}
		moved := 0
		for _, m := range d.Moved {
			if m.Board == "houses" && m.Packed == board.PackMember(2, row.team) {
				moved++
			}
		}
		if want := min(row.team, 1) * 2; moved != want {
			t.Error(row, moved, "places have moved, want", want)
		}
	}
}
