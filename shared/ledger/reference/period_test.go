package reference_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger/reference"
)

func TestPeriodsAreTheSumOfTheirDays(t *testing.T) {
	t.Parallel()
	l := ledgerOf(t, strictRules, "UTC",
		"2025-12-31T10:00 like A, "+ // 2, Wednesday of 2026-W01
			"01-01T10:00 like A, "+ // 2, Thursday of the same week
			"09-28T10:00 bookmark A, "+ // 4, Monday of 2026-W40
			"09-30T10:00 like A, "+ // 2
			"10-01T10:00 like A, "+ // 2, the next month, the same week
			"10-02T10:00 comment A, 10-02T11:00 uncomment A, "+ // taken back
			"10-05T10:00 like B") // 2, the next week
	for _, c := range []struct {
		window  board.Window
		period  string
		score   int64
		reached string
	}{
		{board.Day, "2026-09-28", 4, "2026-09-28T10:00"},
		{board.Week, "2026-W01", 4, "2026-01-01T10:00"},
		{board.Week, "2026-W40", 8, "2026-10-01T10:00"},
		{board.Month, "2026-09", 6, "2026-09-30T10:00"},
		{board.Month, "2026-10", 4, "2026-10-05T10:00"},
		{board.Year, "2025", 2, "2025-12-31T10:00"},
		{board.Year, "2026", 12, "2026-10-05T10:00"},
		{board.All, "all", 14, "2026-10-05T10:00"},
	} {
		p := period(t, c.window, c.period)
		score, reached := l.Period("ann", "activity", p)
		if want := at(t, c.reached); score != c.score || reached != want {
			t.Errorf("%s: %d at %s, want %d at %s", p, score, reached, c.score, want)
		}
		want := board.Pack(c.score, calendarOf(t, "UTC").Ticks(p, at(t, c.reached)))
		if packed, on := l.Packed("ann", "activity", p); !on || packed != want {
			t.Errorf("%s: packed %d, %v, want %d", p, packed, on, want)
		}
	}
	if packed, on := l.Packed("ann", "activity", period(t, board.Month, "2026-11")); on {
		t.Errorf("packed %d of a month without points", packed)
	}
	if got := l.MonthPoints("ann"); got != 14 {
		t.Errorf("MonthPoints = %d, want 14", got)
	}
	var names []string
	for _, p := range l.Periods("activity", board.Week) {
		names = append(names, p.String())
	}
	if diff := cmp.Diff([]string{"2026-W41", "2026-W40", "2026-W01"}, names); diff != "" {
		t.Errorf("weeks (-want +got):\n%s", diff)
	}
}

func TestASumStopsAtTheHighestScore(t *testing.T) {
	t.Parallel()
	rules := rulesOf(t, `{"boards": {"coins": {"windows": ["day", "month"]}}, "versions": [
		{"metrics": {"coins": {"board": "coins", "min": 0, "max": 67108863, "by": ["user"]}}}]}`)
	l := reference.New(rules, calendarOf(t, "UTC"))
	for _, s := range []string{"2026-11-02T10:00", "2026-11-03T10:00", "2026-12-01T10:00"} {
		l.Add(activity.Activity{User: "ann", Action: "coins", Value: new(int64(40_000_000)), At: at(t, s)})
	}
	score, reached := l.Period("ann", "coins", period(t, board.Month, "2026-11"))
	if want := at(t, "2026-11-03T10:00"); score != board.MaxScore || reached != want {
		t.Errorf("month: %d at %s, want %d at %s", score, reached, board.MaxScore, want)
	}
	if got, want := l.MonthPoints("ann"), int64(board.MaxScore+40_000_000); got != want {
		t.Errorf("MonthPoints = %d, want %d", got, want)
	}
}

func TestBoardAndStandings(t *testing.T) {
	t.Parallel()
	l := ledgerOf(t, strictRules, "UTC",
		"bob 11-02T10:00 like A, "+
			"cat 11-02T09:00 like A, "+ // as much, earlier
			"ann 11-02T10:00 like A, "+ // as early as bob: by id
			"dan 11-02T23:00 bookmark A, "+ // more
			"eve 11-02T08:00 like A, eve 11-03T08:00 unlike A, "+ // taken back
			"eve 11-01T08:00 comment A, cat 11-01T08:00 like B") // the day before
	today := period(t, board.Day, "2026-11-02")
	var users []string
	for _, e := range l.Board("activity", today) {
		users = append(users, e.User)
	}
	if diff := cmp.Diff([]string{"dan", "cat", "ann", "bob"}, users); diff != "" {
		t.Fatalf("board (-want +got):\n%s", diff)
	}
	for user, want := range map[string]board.Standing{
		"dan": {Rank: 1, Score: 4, Ticks: 82_800_000, Total: 4, Percentile: new(100.0)},
		"cat": {
			Rank: 2, Score: 2, Ticks: 32_400_000, Total: 4, Percentile: new(66.7), ToNext: new(int64(3)),
			PreviousRank: new(int64(2)),
		},
		"bob": {Rank: 4, Score: 2, Ticks: 36_000_000, Total: 4, Percentile: new(0.0), ToNext: new(int64(1))},
		"eve": {Total: 4, ToNext: new(int64(1)), PreviousRank: new(int64(1))},
		"zoe": {Total: 4, ToNext: new(int64(1))},
	} {
		if diff := cmp.Diff(want, l.Standing("activity", today, user)); diff != "" {
			t.Errorf("standing of %s (-want +got):\n%s", user, diff)
		}
	}
	if diff := cmp.Diff(board.Standing{ToNext: new(int64(1))}, l.Standing("steps", today, "ann")); diff != "" {
		t.Errorf("standing on an empty board (-want +got):\n%s", diff)
	}
	all := l.Standing("activity", board.PeriodOf(board.All, 0), "dan")
	if all.Rank != 2 || all.PreviousRank != nil {
		t.Errorf("of all time: rank %d, previous %v; want 2 and none before", all.Rank, all.PreviousRank)
	}
	if diff := cmp.Diff([]string{"ann", "bob", "cat", "dan", "eve"}, l.Users()); diff != "" {
		t.Errorf("users (-want +got):\n%s", diff)
	}
}
