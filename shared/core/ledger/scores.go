package ledger

import (
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// Places returns the places that a month's unit has: on the boards of its days up to tomorrow, its weeks, itself,
// its year and all time, and of contests on its days, those that are not final, be their score 0; Rolling has the
// others. If the rules keep long windows, the account has to have all ledgers that are followed. The error is that of
// DecideAccount.
func (l *Ledger) Places(a *Account, life *board.Life, today board.Date, month board.MonthOf) ([]Shown, error) {
	p := l.open(a, Surroundings{Life: life, Today: today})
	defer p.close()
	months := []board.MonthOf{month}
	if l.tiles {
		months = p.counted(months)
	}
	if err := p.openMonths(months); err != nil {
		return nil, err
	}
	return p.places(month), nil
}

// PlaceIn returns an account's place on a board of a day, a week or a contest, by the ledgers that the account has. The
// error is that of DecideAccount.
func (l *Ledger) PlaceIn(a *Account, name string, period board.Period) (Shown, error) {
	p := l.open(a, Surroundings{})
	defer p.close()
	months := slices.DeleteFunc(a.sorted(), func(m board.MonthOf) bool { return !period.Touches(m) })
	if err := p.openMonths(months); err != nil {
		return Shown{}, err
	}
	return p.place(name, period), nil
}

// places returns the places of a month's unit.
func (p *openPages) places(number board.MonthOf) []Shown {
	first, last, until := number.First(), (number+1).First()-1, p.known.Today+1
	shown := make([]Shown, 0, 64) // of two boards of days and months all
	for _, name := range p.ledger.rules.Boards() {
		for _, w := range p.ledger.rules.Windows(name) {
			for period := range p.ledger.rules.Board(name).Periods(w, first, last) {
				if p.known.Life.Final(period) {
					continue
				}
				now := p.place(name, period)
				if now.Packed != 0 || w.OfMonths() || period.First() <= until {
					shown = append(shown, now)
				}
			}
		}
	}
	return shown
}

// touch remembers the places of the periods that have a day on a board before the first change to them; of windows that
// roll those that are wanted.
func (p *openPages) touch(name string, date board.Date) {
	for _, w := range p.ledger.rules.Windows(name) {
		if w.Rolls() {
			for last := max(date, p.known.RollFrom); last <= min(date+w.Days()-1, p.known.RollTo); last++ {
				p.remember(name, board.PeriodOf(w, last))
			}
		} else if period := p.ledger.rules.Period(name, w, date); period.Has(date) && !p.known.Life.Final(period) {
			p.remember(name, period)
		}
	}
}

// remember remembers a place, once.
func (p *openPages) remember(name string, period board.Period) {
	if !slices.ContainsFunc(p.before, func(s Shown) bool { return s.Board == name && s.Period == period }) {
		p.before = append(p.before, p.place(name, period))
	}
}

// scores returns the user's scores on a board in a day and its longer periods, the live ones; of windows that roll as
// of today.
func (p *openPages) scores(name string, date board.Date) []Score {
	scores := make([]Score, 0, 2) // boards mostly keep two windows
	for _, w := range p.ledger.rules.Windows(name) {
		period := p.ledger.PeriodOn(name, w, date, p.known.Today)
		if period.Has(date) && !p.known.Life.Closed(period) {
			score, _ := p.worth(name, period)
			scores = append(scores, Score{w, score})
		}
	}
	return scores
}

// place returns the user's place on a board: there is none with a sum of zero or below, or if the board does not admit
// the user, or is of teams and the user is in none. On a board of teams it is the member's.
func (p *openPages) place(name string, period board.Period) Shown {
	shown := Shown{Board: name, Period: period}
	score, reached := p.worth(name, period)
	switch {
	case score <= 0:
	case p.account.Anyone:
		shown.Packed = p.ledger.Pack(period, score, reached)
	case p.ledger.Admits(p.account, name, period):
		shown.Packed = p.ledger.PackFor(p.account, name, p.ledger.Pack(period, score, reached))
	}
	return shown
}

// PackFor returns the place that the person of an account, whom a board admits, has there with the place of a person:
// on a board of teams that of a member, 0 for none.
func (l *Ledger) PackFor(a *Account, name string, packed board.Packed) board.Packed {
	b := l.rules.Board(name)
	if len(b.Teams) == 0 {
		return packed
	}
	return board.PackMember(packed.Score(), b.TeamOf(a.Groups))
}

// Pack returns the place of a score in a period that was reached at a moment; 0, which is none, for a score of zero or
// below.
func (l *Ledger) Pack(period board.Period, score int64, reached board.Moment) board.Packed {
	if score <= 0 {
		return 0
	}
	return board.Pack(score, l.calendar.Ticks(period, reached))
}

// Admits says whether a period's board admits the person of an account.
func (l *Ledger) Admits(a *Account, name string, period board.Period) bool {
	people := l.rules.Board(name).People
	return people.Everybody() || people.Admit(a.Groups, l.dayOf(a.Since), period)
}

// dayOf returns the day of a moment, 0 for none.
func (l *Ledger) dayOf(m board.Moment) board.Date {
	if m == 0 {
		return 0
	}
	return l.calendar.Date(m)
}

// worth returns the user's score on a board in a period, and the time when it was reached.
func (p *openPages) worth(name string, period board.Period) (score int64, reached board.Moment) {
	if period.Window().OfMonths() {
		return p.sumMonths(name, period)
	}
	for _, m := range p.months {
		from, to := max(0, int(period.First()-m.days.First)), min(m.days.Days, int(period.Last()-m.days.First)+1)
		if from < to {
			s, r := m.worth(name, from, to)
			score, reached = score+s, max(reached, r)
		}
	}
	return score, reached
}

// sumMonths returns the sum of the months of a period on a board: final ones by the account's totals, others by
// their ledgers.
func (p *openPages) sumMonths(name string, period board.Period) (score int64, reached board.Moment) {
	in := func(m board.MonthOf) bool { return board.PeriodOf(period.Window(), m.First()) == period }
	for _, m := range p.months {
		if in(m.number) && !p.final(m.number) {
			s, r := m.sum(name)
			score, reached = score+s, max(reached, r)
		}
	}
	for _, t := range p.account.Totals {
		if t.Board == name && in(t.Month) && p.final(t.Month) {
			score, reached = score+t.Score, max(reached, t.Reached)
		}
	}
	return score, reached
}

// A DayActivity has the activities of a user on one day.
type DayActivity struct {
	Day     board.Date
	Scores  map[string]int64 // by board, every board
	Actions map[string]Tally // by action and metric, those with anything that stands
}

// A Tally is how many entries stand, and the points their cap lets through. A metric counts 1 and its points are
// its value.
type Tally struct {
	Count, Points int64
}

// DaysOf returns a user's activities from a day to a later one, both included. The error is that of DecideAccount.
func (l *Ledger) DaysOf(a *Account, from, to board.Date) ([]DayActivity, error) {
	p := l.open(a, Surroundings{})
	defer p.close()
	days := make([]DayActivity, 0, max(to-from+1, 0))
	var m *month
	for date := from; date <= to; date++ {
		if m == nil || m.number != date.Month() {
			var err error
			if m, err = l.openMonth(p.room, a, date.Month()); err != nil {
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
		d.Scores[name], _ = m.worth(name, day, day+1)
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
	if given := m.awards.tally(day); given.Count > 0 {
		d.Actions[activity.AwardWord] = given
	}
	return d
}

// MonthTotals returns the sums of a month of an account, by board, which may be below 0; none of a board without any.
// The error is that of DecideAccount.
func (l *Ledger) MonthTotals(a *Account, number board.MonthOf) ([]MonthTotal, error) {
	p := l.open(a, Surroundings{})
	defer p.close()
	open, err := l.openMonth(p.room, a, number)
	if err != nil {
		return nil, err
	}
	var totals []MonthTotal
	for _, name := range l.rules.Boards() {
		if score, reached := open.sum(name); score != 0 || reached != 0 {
			totals = append(totals, MonthTotal{Board: name, Month: number, Score: score, Reached: reached})
		}
	}
	return totals, nil
}
