package ledger

import (
	"slices"

	"laurel/shared/board"
)

// Places returns the places that a month's unit has: on the boards of its days up to
// tomorrow, its weeks, itself, its year and all time, those that are not final, by board and
// period. A score of 0 is there as well, and so is that of a user who is on no board. The
// ledgers of the account have to be all that are not final if the rules keep long windows.
// The error is that of DecideAccount.
func (l *Ledger) Places(a *Account, life *board.Life, today board.Date, month board.MonthOf) ([]Shown, error) {
	in := l.rooms.Get().(*room) //nolint:forcetypeassert // it has no others
	defer l.giveBack(in)
	p := l.openAccount(in, a, Surroundings{Life: life, Today: today})
	if err := p.openMonths(p.counted([]board.MonthOf{month})); err != nil {
		return nil, err
	}
	return p.places(month), nil
}

// places returns the places of a month's unit.
func (p *openPages) places(of board.MonthOf) []Shown {
	first, last, until := of.First(), (of+1).First()-1, p.known.Today+1
	shown := make([]Shown, 0, 16)
	for _, name := range p.ledger.rules.Boards() {
		for _, w := range p.ledger.rules.Windows(name) {
			for at := board.PeriodOf(w, first); ; at = at.Next() {
				if !p.known.Life.Final(at) {
					packed := p.packed(place{name, at})
					if packed != 0 || w > board.Week || at.First() <= until {
						shown = append(shown, Shown{name, at, packed})
					}
				}
				if w == board.All || at.Last() >= last {
					break
				}
			}
		}
	}
	return shown
}

// place is where a score stands: a board's period.
type place struct {
	board  string
	period board.Period
}

// snapshot is what a place held before the first change to it.
type snapshot struct {
	place
	packed board.Packed
}

// touch remembers what a day and its longer periods were worth on a board before the first
// change to them.
func (p *openPages) touch(name string, date board.Date) {
	for _, w := range p.ledger.rules.Windows(name) {
		at := place{name, board.PeriodOf(w, date)}
		known := slices.ContainsFunc(p.before, func(s snapshot) bool { return s.place == at }) // mostly of a day or two
		if !known && !p.known.Life.Final(at.period) {
			p.before = append(p.before, snapshot{at, p.packed(at)})
		}
	}
}

// scores returns what the user has on a board in a day and its longer periods,
// the live ones.
func (p *openPages) scores(name string, date board.Date) []Score {
	from := len(p.told)
	for _, w := range p.ledger.rules.Windows(name) {
		at := place{name, board.PeriodOf(w, date)}
		if !p.known.Life.Closed(at.period) {
			p.told = append(p.told, Score{w, p.score(at)})
		}
	}
	return p.told[from:len(p.told):len(p.told)]
}

// score returns what a place is worth, at most board.MaxScore.
func (p *openPages) score(at place) int64 {
	if at.period.Window() == board.Month { // which receipts tell
		if m := p.findMonth(at.period.First().Month()); m != nil {
			return min(m.sums[slices.Index(m.names, at.board)], board.MaxScore)
		}
	}
	score, _ := p.worth(at)
	return min(score, board.MaxScore)
}

// packed returns the number for a place, 0 for who is not on the board.
func (p *openPages) packed(at place) board.Packed {
	score, reached := p.worth(at)
	if score == 0 {
		return 0
	}
	return board.Pack(score, p.ledger.calendar.Ticks(at.period, reached))
}

// worth returns what the user has in a place, and when it was reached.
func (p *openPages) worth(at place) (score int64, reached board.Moment) {
	switch at.period.Window() {
	case board.Day, board.Week:
		for date := at.period.First(); date < at.period.Next().First(); date++ {
			if m := p.findMonth(date.Month()); m != nil {
				s, r := m.day(at.board, int(date-m.days.First))
				score += s
				reached = max(reached, r)
			}
		}
		return score, reached
	case board.Month:
		if m := p.findMonth(at.period.First().Month()); m != nil {
			return m.sum(at.board)
		}
		return 0, 0
	default:
		return p.sumMonths(at)
	}
}

// sumMonths returns what the months of a year or of all time come to on a board: final ones
// by the account's totals, others by their ledgers.
func (p *openPages) sumMonths(at place) (score int64, reached board.Moment) {
	in := func(m board.MonthOf) bool { return board.PeriodOf(at.period.Window(), m.First()) == at.period }
	for _, m := range p.months {
		if in(m.of) && !p.final(m.of) {
			s, r := m.sum(at.board)
			score, reached = score+s, max(reached, r)
		}
	}
	for _, t := range p.account.Totals {
		if t.Board == at.board && in(t.Month) && p.final(t.Month) {
			score, reached = score+t.Score, max(reached, t.Reached)
		}
	}
	return score, reached
}

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
			if m, err = l.openMonth(in, date.Month(), a.ledger(date.Month())); err != nil {
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
	open, err := l.openMonth(in, of, m)
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
