package ledger_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/reference"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
)

// compareRolling compares the places on boards that roll with the reference's, of three last days.
func compareRolling(t *testing.T, where string, s *accounts, ref *reference.Ledger, first board.Date) {
	t.Helper()
	want, got := allBoards{}, allBoards{}
	for _, name := range s.ledger.Rules().Boards() {
		for _, w := range s.ledger.Rules().Windows(name) {
			for day := first; w.Rolls() && day <= first+2; day++ {
				for _, e := range ref.Board(name, board.PeriodOf(w, day)) {
					want[spot{name, board.PeriodOf(w, day), e.User}] = e.Packed
				}
			}
		}
	}
	for user := range s.users {
		for _, shown := range harness.Must(s.ledger.Rolling(s.all(t, user), nil, first, first+2))(t) {
			if shown.Packed != 0 {
				got[spot{shown.Board, shown.Period, user}] = shown.Packed
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: boards that roll differ (-reference +ledger):\n%.3000s", where, diff)
	}
}

const rollingRules = `{"boards": {
 "activity": {"windows": ["day", "month", "7d", "30d"]},
 "newcomers": {"counts": "activity", "windows": ["7d"], "people": {"newDays": 3}}}, "versions": [{"actions": {
  "like": {"undo": "unlike", "board": "activity", "points": 2, "entry": "month", "cap": 2, "by": ["user"]},
  "visit": {"board": "activity", "points": -1, "entry": "day", "by": ["user"]}}}]}`

func rollingLedger(t *testing.T) *ledger.Ledger {
	t.Helper()
	rules := harness.Must(activity.ParseRules([]byte(rollingRules)))(t)
	return ledger.New(rules, board.NewCalendar(time.UTC))
}

// Thirty days that end on 1 March have days of three months, final ones too. Days below zero count, and the sum is
// floored once. A place is that of the days, with or without a ledger in the last one's month.
func TestRollingPeriodsHaveTheDaysOfAllMonths(t *testing.T) {
	t.Parallel()
	l := rollingLedger(t)
	s := newAccounts(l)
	do := func(text, action, target string) {
		a := activity.Activity{User: "ann", Action: action, Target: target, At: momentAt(t, text)}
		s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At, AnyAge: true})
	}
	do("01-30 10:00", "like", "A") // 31 days before 1 March: in no period of it
	do("01-31 10:00", "like", "B")
	do("02-10 10:00", "like", "C")
	for _, target := range []string{"A", "B", "C"} {
		do("02-22 12:00", "visit", target)
	}
	do("02-23 10:00", "like", "D")
	first := board.DateOf(2026, time.March, 1)
	months := []board.MonthOf{first.Month() - 2, first.Month() - 1, first.Month()}
	if read := l.RollingMonths(first, first); !cmp.Equal(months, read) {
		t.Errorf("the months are %v, want %v", read, months)
	}
	for _, p := range []board.Period{board.PeriodOf(board.Day, first-30), board.PeriodOf(board.Month, first-30)} {
		s.apply(t, board.EventClose, p)
		s.apply(t, board.EventMake, p)
	}
	a := s.all(t, "ann")
	a.Since = momentAt(t, "02-26 23:00") // new up to three days before a period's last day
	got := map[string]int64{}
	for _, shown := range harness.Must(l.Rolling(a, s.life, first-1, first+1))(t) {
		window := shown.Period.Window().String()
		got[shown.Board+" "+window+" "+shown.Period.String()] = shown.Packed.Score()
	}
	want := map[string]int64{
		"activity 7d 2026-02-28": 0, // -3 and 2
		"activity 7d 2026-03-01": 2, "activity 7d 2026-03-02": 0,
		"activity 30d 2026-02-28": 5, "activity 30d 2026-03-01": 3, "activity 30d 2026-03-02": 1,
		"newcomers 7d 2026-02-28": 0, "newcomers 7d 2026-03-01": 2, "newcomers 7d 2026-03-02": 0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	a.Since = momentAt(t, "02-25 23:00") // four days
	for _, shown := range harness.Must(l.Rolling(a, s.life, first, first))(t) {
		if shown.Board == "newcomers" && shown.Packed != 0 {
			t.Error("an account that is too old is on the board of newcomers")
		}
	}
}

// A receipt tells the sums of rolling periods as of today, where they have the day, signed.
func TestReceiptsTellRollingScoresOfToday(t *testing.T) {
	t.Parallel()
	s := newAccounts(rollingLedger(t))
	s.today = board.DateOf(2026, time.November, 20)
	told := func(text, action string) map[string]int64 {
		a := activity.Activity{User: "ann", Action: action, Target: text, At: momentAt(t, text)}
		r := s.record(t, []activity.Activity{a}, ledger.Arrival{Now: a.At, AnyAge: true})[0]
		scores := map[string]int64{}
		for _, score := range r.Scores {
			scores[score.Window.String()] = score.Score
		}
		return scores
	}
	for _, row := range []struct {
		moment, action string
		want           map[string]int64
	}{
		{"10-21 10:00", "visit", map[string]int64{"day": -1, "month": -1}},
		{"10-22 10:00", "visit", map[string]int64{"day": -1, "month": -2, "30d": -1}},
		{"11-13 23:59", "visit", map[string]int64{"day": -1, "month": -1, "30d": -2}},
		{"11-14 00:00", "visit", map[string]int64{"day": -1, "month": -2, "7d": -1, "30d": -3}},
		{"11-20 10:00", "like", map[string]int64{"day": 2, "month": 0, "7d": 1, "30d": -1}},
		{"11-21 00:01", "like", map[string]int64{"day": 2, "month": 2}}, // by a clock that is ahead
	} {
		if diff := cmp.Diff(row.want, told(row.moment, row.action)); diff != "" {
			t.Error(row.moment, diff)
		}
	}
}

// A decision moves, of the places with the last days that are wanted, those that differ afterwards and no others.
func TestDecisionsMoveRollingPlaces(t *testing.T) {
	t.Parallel()
	l := rollingLedger(t)
	today := board.DateOf(2026, time.November, 5)
	a := &ledger.Account{User: "ann", Since: momentAt(t, "11-03 10:00"), Months: map[board.MonthOf]*ledger.MonthLedger{}}
	for m := today.Month() - 3; m <= today.Month(); m++ {
		a.Months[m] = nil
	}
	r, places := rand.New(rand.NewPCG(57, 1)), map[board.ID]board.Packed{}
	for range 400 {
		act := activity.Activity{
			User: "ann", Action: []string{"like", "unlike", "visit"}[r.IntN(3)], Target: string('A' + rune(r.IntN(5))),
			At: l.Calendar().Start(today-36) + board.Moment(r.IntN(37*24))*3_600_000,
		}
		act.Restores = act.Action == "like" && r.IntN(4) == 0
		d := harness.Must(l.DecideAccount(a, []activity.Activity{act}, ledger.Surroundings{
			Now: act.At, AnyAge: true, Today: today, RollFrom: today - 1, RollTo: today + 1,
		}))(t)
		for _, moved := range d.Moved {
			id := board.ID{Board: moved.Board, Period: moved.Period}
			if !moved.Period.Window().Rolls() {
				continue
			}
			if moved.Was != places[id] || moved.Was == moved.Packed {
				t.Fatalf("%+v: %v moves from %d, and was %d", act, id, moved.Was, places[id])
			}
			places[id] = moved.Packed
		}
		for _, shown := range harness.Must(l.Rolling(a, nil, today-1, today+1))(t) {
			if had := places[board.ID{Board: shown.Board, Period: shown.Period}]; had != shown.Packed {
				t.Fatalf("%+v: %+v was not moved from %d", act, shown, had)
			}
		}
	}
	if len(places) < 9 {
		t.Errorf("the places are on %d boards alone", len(places))
	}
}
