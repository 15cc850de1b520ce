package board_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/board"
)

func contestOf(t *testing.T, name string) board.Period {
	t.Helper()
	return harness.Must(board.ParsePeriod(board.Contest, name))(t)
}

// The name of a contest reads back, its text with the board, and names in another form are errors.
func TestContestNames(t *testing.T) {
	t.Parallel()
	autumn := board.NewContest("autumn", board.DateOf(2026, time.November, 1), board.DateOf(2026, time.November, 30))
	if got := contestOf(t, autumn.String()); got.Of("autumn") != autumn || got == autumn || got.Board() != "" {
		t.Errorf("%s reads back as %s of %q", autumn, got.Text(), got.Board())
	}
	text := harness.Must(json.Marshal(autumn))(t)
	var again board.Period
	harness.OK(t, json.Unmarshal(text, &again))
	if string(text) != `"autumn:2026-11-01..2026-11-30"` || again != autumn {
		t.Errorf("%s reads back as %s", text, again.Text())
	}
	for _, name := range []string{
		"", "2026-11-01", "2026-11-01..", "..2026-11-30", "2026-11-30..2026-11-01", "2026-11-01...2026-11-30",
		"2026-11-01..2026-11-31", "2026-11-01..2027-02-09", "2026-11-01..2026-11-30 ", "2026-11..2026-12", "autumn",
	} {
		if p, err := board.ParsePeriod(board.Contest, name); !errors.Is(err, board.ErrPeriod) {
			t.Errorf("%q is accepted as %s: %v", name, p, err)
		}
	}
}

// A contest's tick is the smallest power of two of milliseconds for which its days have at most 2^27 ticks.
func TestTicksOfAContest(t *testing.T) {
	t.Parallel()
	calendar := harness.Must(board.LoadCalendar("Europe/Berlin"))(t)
	for name, step := range map[string]board.Moment{
		"2026-11-20..2026-11-20": 1,   // 86,400,000 ms
		"2026-10-25..2026-10-25": 1,   // 25 hours
		"2026-11-20..2026-11-21": 2,   // 172,800,000 are more than 134,217,728
		"2026-11-20..2026-11-26": 8,   // 604,800,000 are more than 4 times that
		"2026-11-01..2026-11-30": 32,  // as a month
		"2026-09-01..2026-10-19": 32,  // 49 days are the most
		"2026-09-01..2026-10-20": 64,  // and 50 are more
		"2026-11-01..2027-02-08": 128, // 100 days
	} {
		p := contestOf(t, name)
		start, end := calendar.Bounds(p)
		if got := calendar.AtTicks(p, 1) - start; got != step || calendar.Ticks(p, end-1) >= 1<<27 {
			t.Errorf("the tick of %s is %d ms, want %d; the last is %d", name, got, step, calendar.Ticks(p, end-1))
		}
	}
}

// A contest has its days and no others, none before it and after it, and is due as a day is.
func TestDaysOfAContest(t *testing.T) {
	t.Parallel()
	p := contestOf(t, "2026-11-28..2026-12-02")
	first, last := board.DateOf(2026, time.November, 28), board.DateOf(2026, time.December, 2)
	if p.First() != first || p.Last() != last || p.Has(first-1) || !p.Has(first) || !p.Has(last) || p.Has(last+1) {
		t.Errorf("%s is from %s to %s", p, p.First(), p.Last())
	}
	if p.Meets(first-9, first-1) || !p.Meets(first-9, first) || !p.Meets(last, last+9) || p.Meets(last+1, last+9) {
		t.Errorf("%s meets other days", p)
	}
	if none := (board.Period{}); p.Prev() != none || p.Next() != none || board.PeriodOf(board.Contest, first) != none {
		t.Errorf("%s is between %s and %s", p, p.Prev(), p.Next())
	}
	if board.Due(p, last+3, 3, 2) || !board.Due(p, last+4, 3, 2) {
		t.Error("it is not due four days after its last day")
	}
}

// When ledgers are deleted, contests that began in their month or before are as removed, and forgotten.
func TestContestWithoutLedgersIsOver(t *testing.T) {
	t.Parallel()
	old := contestOf(t, "2026-09-28..2026-10-02").Of("autumn")
	later := contestOf(t, "2026-10-01..2026-10-31").Of("autumn")
	var life *board.Life
	for _, p := range []board.Period{old, later} {
		for _, e := range []board.PeriodEvent{board.EventClose, board.EventMake, board.EventRemove} {
			life = harness.Must(life.Apply(p, e, board.Earliest))(t)
		}
	}
	september, number := old.First().Month(), life.Number()
	gone := life.Forget(september)
	if len(life.Contests()) != 2 || len(gone.Contests()) != 1 || gone.Number() <= number || gone.Gone() != september {
		t.Errorf("it knows %v with number %d, and before %v", gone.Contests(), gone.Number(), life.Contests())
	}
	never := contestOf(t, "2026-08-01..2026-11-01").Of("never")
	for _, p := range []board.Period{old, later, never} {
		if gone.State(p) != board.PeriodRemoved || !gone.Final(p) {
			t.Errorf("%s is %s", p.Text(), gone.State(p))
		}
	}
	if other := contestOf(t, "2026-10-01..2026-10-31").Of("other"); gone.State(other) != board.PeriodLive {
		t.Errorf("%s is %s", other.Text(), gone.State(other))
	}
	for _, m := range []board.MonthOf{september - 1, september} {
		if again := gone.Forget(m); again.Number() != gone.Number() {
			t.Errorf("%s changes it again", m)
		}
	}
}

// The text of a period tells its window, and is read as the same period.
func TestTextsOfPeriods(t *testing.T) {
	t.Parallel()
	today := board.DateOf(2026, time.November, 20)
	seen := map[string]bool{}
	for _, w := range board.Windows() {
		p := board.NewContest("7d", today-19, today)
		if w != board.Contest {
			p = board.PeriodOf(w, today)
		}
		var read board.Period
		if err := read.UnmarshalText([]byte(p.Text())); err != nil || read != p || seen[p.Text()] {
			t.Errorf("%s of %s is read as %s, %v", p.Text(), w, read.Text(), err)
		}
		seen[p.Text()] = true
	}
}
