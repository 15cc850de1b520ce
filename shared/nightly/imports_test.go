package nightly_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
	"laurel/shared/state"
)

// marks are imports that begin after so many looks at them.
type marks struct {
	looks  int
	months []board.MonthOf
}

func (m *marks) Imports(context.Context) ([]state.Import, error) {
	if m.looks--; m.looks >= 0 {
		return nil, nil
	}
	return []state.Import{{ID: "1", Name: "history.csv", Began: 1, Months: m.months}}, nil
}

// What an import has marked is not due: its month, with the days, weeks and years that have
// days of it; the months after it, if totals are kept for longer windows.
func TestWhatIsImportedIsNotDue(t *testing.T) {
	t.Parallel()
	const like = `"versions":[{"actions":{"like":{"board":"activity","points":2,"entry":"month","by":["user"]}}}]`
	for windows, want := range map[string]string{
		`"day","month"`:               "2026-09-30 2026-09 2026-11-30 2026-11",
		`"day","week","month","year"`: "2026-09-30 2026-09 2026-11-30",
	} {
		rules, err := activity.ParseRules([]byte(`{"boards":{"activity":{"windows":[` + windows + `]}},` + like + `}`))
		if err != nil {
			t.Fatal(err)
		}
		l := ledger.New(rules, board.NewCalendar(time.UTC))
		store := live.New(testserver.Redis(t), l, 1)
		for _, day := range []string{"2026-09-30T12:00", "2026-10-31T12:00", "2026-11-30T12:00"} {
			harness.Record(t, store, harness.Did(t, "ann like 1", at(t, day)))
		}
		plan, err := nightly.Due(t.Context(), nightly.Options{
			Live: store, Rules: rules, Calendar: l.Calendar(), Now: at(t, "2027-03-10T01:00"), HotDays: 3, HotMonths: 2,
			Imports: &marks{months: []board.MonthOf{period(t, "2026-10").First().Month()}},
		})
		if err != nil || len(plan.Imports) != 1 {
			t.Fatal(plan, err)
		}
		var due []string
		for _, p := range plan.Periods {
			if p.Period.Window() != board.Week {
				due = append(due, p.Period.String())
			}
		}
		if got := strings.Join(due, " "); got != want {
			t.Errorf("%s: %s; want %s", windows, got, want)
		}
		wantMonths := strings.Fields("2026-09 2026-11")
		if strings.Contains(windows, "year") {
			wantMonths = wantMonths[:1]
		}
		if got := plan.Months(); !slices.Equal(got, wantMonths) {
			t.Errorf("%s: the pages of %v", windows, got)
		}
	}
}

// A month that an import marks while the night runs is not closed: it is left.
func TestAnImportThatBeginsBesideTheNight(t *testing.T) {
	t.Parallel()
	f := openFilled(t, 1)
	o := f.Night(board.MomentOf(lastNight()))
	november := period(t, "2026-11").First().Month()
	o.Imports = &marks{looks: 1, months: []board.MonthOf{november - 1, november}}
	result, err := nightly.Run(t.Context(), o)
	if err != nil || len(result.Moved) > 0 || len(result.Left) < len(f.periods) {
		t.Errorf("%+v, %v", result, err)
	}
	if closed, err := f.Live.Redis().ClosedSets(t.Context()); err != nil || closed[0].Periods.String() != "" {
		t.Errorf("closed: %s, %v", closed[0].Periods, err)
	}
	f.sameBoards(t, "beside an import")
}
