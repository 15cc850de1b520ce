package ledger

import (
	"fmt"

	"laurel/shared/board"
)

// A DayActivity is what a user did on one day.
type DayActivity struct {
	Day     board.Date
	Scores  map[string]int64 // by board, every board
	Actions map[string]Tally // by action and metric, those with anything that stands
}

// A Tally is how many entries stand, and the points their cap lets through. A
// metric counts 1 and its points are its value.
type Tally struct {
	Count, Points int64
}

// Days reads what a user did from a day to a later one, both included, out of
// the month pages that they lie in. The error is that of Decide.
func (l *Ledger) Days(pages map[PageKey]string, from, to board.Date) ([]DayActivity, error) {
	in, months := new(room), map[board.MonthOf]*month{}
	for of := from.Month(); of <= to.Month(); of++ {
		m, err := l.openMonth(in, of, pages[MonthPage(of)])
		if err != nil {
			return nil, fmt.Errorf("page %s: %w", of, err)
		}
		months[of] = m
	}
	days := make([]DayActivity, 0, to-from+1)
	for date := from; date <= to; date++ {
		days = append(days, months[date.Month()].activity(l, date))
	}
	return days, nil
}

func (m *month) activity(l *Ledger, date board.Date) DayActivity {
	d := DayActivity{Day: date, Scores: map[string]int64{}, Actions: map[string]Tally{}}
	day := int(date - m.days.First)
	for _, name := range l.rules.Boards() {
		d.Scores[name], _ = m.day(name, day)
	}
	for _, t := range m.actions {
		n := t.counts[day].n
		if n == 0 {
			continue
		}
		if m.rule(t, day).Metric {
			n = 1
		}
		d.Actions[t.action] = Tally{Count: n, Points: m.points(t, day)}
	}
	return d
}
