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

// DaysOf returns what a user did from a day to a later one, both included, by the account's
// ledgers of their months. The error is that of DecideAccount.
func (l *Ledger) DaysOf(a *Account, from, to board.Date) ([]DayActivity, error) {
	in := l.rooms.Get().(*room) //nolint:forcetypeassert // it has no others
	defer l.giveBack(in)
	days := make([]DayActivity, 0, max(to-from+1, 0))
	var m *month
	for date := from; date <= to; date++ {
		if m == nil || m.of != date.Month() {
			var err error
			if m, err = l.readMonth(in, date.Month(), a.ledger(date.Month())); err != nil {
				return nil, err
			}
		}
		days = append(days, m.activity(l, date))
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

// MonthTotals returns what a month's ledger comes to, by board, of those where it is above 0.
// The error is that of DecideAccount.
func (l *Ledger) MonthTotals(m *MonthLedger, of board.MonthOf) ([]MonthTotal, error) {
	in := l.rooms.Get().(*room) //nolint:forcetypeassert // it has no others
	defer l.giveBack(in)
	open, err := l.readMonth(in, of, m)
	if err != nil {
		return nil, err
	}
	var totals []MonthTotal
	for _, name := range l.rules.Boards() {
		if score, reached := open.sum(name); score > 0 {
			totals = append(totals, MonthTotal{Board: name, Month: of, Score: score, Reached: reached})
		}
	}
	return totals, nil
}

// readMonth opens a ledger's month to be read, nil for none.
func (l *Ledger) readMonth(in *room, of board.MonthOf, from *MonthLedger) (*month, error) {
	m := l.newMonth(in, of)
	if from == nil || from.Month == "" {
		return m, nil
	}
	groups, err := readPage(in, from.Month)
	if err != nil {
		return nil, fmt.Errorf("ledger of %s: %w", of, err)
	}
	m.setGroups(groups)
	return m, nil
}
