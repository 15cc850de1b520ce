package audit_test

import (
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
)

const longRules = `{
  "boards": {"activity": {"windows": ["day", "week", "month", "year", "all"]}},
  "versions": [{"actions": {
    "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "by": ["user"]}
  }}]
}`

// long is a forum that keeps every window; ann liked in October and November.
func long(t *testing.T) scene {
	t.Helper()
	rules, err := activity.ParseRules([]byte(longRules))
	if err != nil {
		t.Fatal(err)
	}
	s := scene{
		testserver.Redis(t), ledger.New(rules, board.NewCalendar(time.UTC)), 1,
		&kept{rows: map[string][]ledger.Row{}},
	}
	s.record(t, []activity.Activity{
		{User: "ann", Action: "like", Target: "1", At: board.MomentOf(time.Date(2026, 10, 31, 9, 0, 0, 0, time.UTC))},
		{User: "ann", Action: "like", Target: "2", At: board.MomentOf(time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC))},
	})
	return s
}

func TestLongWindowsAreRepaired(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		harm []any
		want []string
	}{
		{"the totals lost", []any{"HDEL", annPages, "totals"}, []string{"page totals: missing"}},
		{
			"the totals damaged",
			[]any{"HSET", annPages, "totals", "x"},
			[]string{"page totals: a summary that differs from its entries"},
		},
		{
			"a year",
			[]any{"ZADD", "laurel:{0}:board:activity:year:2026", -(2 << 27), "ann"},
			[]string{"board activity year 2026: 2 points"},
		},
		{
			"a year too many",
			[]any{"ZADD", "laurel:{0}:board:activity:year:2024", -(2 << 27), "ann"},
			[]string{"board activity year 2024: 2 points", "is not in it"},
		},
		{
			"all time",
			[]any{"ZREM", "laurel:{0}:board:activity:all:all", "ann"},
			[]string{"board activity all all: not on it, should be: 4 points"},
		},
		{
			"a week over two months",
			[]any{"ZADD", "laurel:{0}:board:activity:week:2026-W44", -(2 << 27), "ann"},
			[]string{"board activity week 2026-W44: 2 points"},
		},
		{"a month, whose totals stay", []any{"HDEL", annPages, "2026-11"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := long(t)
			s.clean(t)
			if err := s.client.Do(t.Context(), test.harm...).Err(); err != nil {
				t.Fatal(err)
			}
			lines, _ := s.run(t, false)
			matches(t, lines, test.want)
			if _, totals := s.run(t, true); totals.Unrepaired > 0 {
				t.Errorf("not repaired: %+v", totals)
			}
			s.clean(t)
		})
	}
}

// Once a month is final its pages and boards are gone, and only the totals know
// of it: the year is right as they say.
func TestClosedMonthLivesInTheTotals(t *testing.T) {
	t.Parallel()
	s := long(t)
	october := board.DateOf(2026, time.October, 31)
	for _, w := range []board.Window{board.Day, board.Month} {
		if err := s.store().ClosePeriod(t.Context(), "activity", board.PeriodOf(w, october)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.store().ClosePeriod(t.Context(), "activity", board.PeriodOf(board.Week, october)); err != nil {
		t.Fatal(err)
	}
	if err := s.store().ClosePeriod(t.Context(), "", board.PeriodOf(board.Month, october)); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]any{
		{"HDEL", annPages, "2026-10"},
		{
			"DEL", "laurel:{0}:month:2026-10", "laurel:{0}:board:activity:day:2026-10-31",
			"laurel:{0}:board:activity:month:2026-10",
		},
	} {
		if err := s.client.Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	s.clean(t)
	if err := s.client.ZIncrBy(t.Context(), "laurel:{0}:board:activity:year:2026", 1, "ann").Err(); err != nil {
		t.Fatal(err)
	}
	lines, _ := s.run(t, true)
	matches(t, lines, []string{"board activity year 2026: 4 points"})
	s.clean(t)
}
