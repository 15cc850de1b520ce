package ledger

import (
	"maps"
	"slices"

	"laurel/shared/board"
)

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

// Scores returns what a user has in every period of a board that is not closed, by
// the pages given, in the order of Changes: also when the user is hidden or
// excluded, and so not on it. The error is that of Decide.
func (l *Ledger) Scores(pages Pages, closed *board.Closed) ([]Move, error) {
	pages = maps.Clone(pages)
	delete(pages, FollowsPage()) // of no consequence here, be they damaged
	delete(pages, StatusPage())
	p, err := l.open(pages, closed)
	if err != nil {
		return nil, err
	}
	if p.totals == nil {
		p.totals = &monthTotals{}
	}
	p.listAll()
	return p.moves(), nil
}

// listAll has moves list everything that the user has.
func (p *openPages) listAll() {
	for _, m := range p.months {
		for i := range m.days.Days {
			for _, name := range p.ledger.rules.Boards() {
				p.list(name, m.days.First+board.Date(i))
			}
		}
	}
	if p.totals == nil {
		return
	}
	for _, t := range p.totals.months { // of months whose pages are gone
		p.list(t.board, t.month.First())
	}
}

// list has moves list what the user has on a day and its longer periods.
func (p *openPages) list(name string, date board.Date) {
	p.remember(name, date, func(place) board.Packed { return 0 })
}

// touch remembers what a day and its longer periods were worth on a board before
// the first change to them.
func (p *openPages) touch(name string, date board.Date) { p.remember(name, date, p.packed) }

// remember keeps a value for a day and its longer periods on a board, once. What
// is closed is not written, so not remembered.
func (p *openPages) remember(name string, date board.Date, value func(place) board.Packed) {
	for _, w := range p.ledger.rules.Windows(name) {
		at := place{name, board.PeriodOf(w, date)}
		if !p.remembers(at) && !p.closed.Has(at.board, at.period) {
			p.before = append(p.before, snapshot{at, value(at)})
		}
	}
}

// remembers looks through what is mostly a day or two and their periods.
func (p *openPages) remembers(at place) bool {
	return slices.ContainsFunc(p.before, func(s snapshot) bool { return s.place == at })
}

// scores returns what the user has on a board in a day and its longer periods,
// the live ones.
func (p *openPages) scores(name string, date board.Date) []Score {
	from := len(p.told)
	for _, w := range p.ledger.rules.Windows(name) {
		at := place{name, board.PeriodOf(w, date)}
		if !p.closed.Has(at.board, at.period) {
			p.told = append(p.told, Score{w, p.score(at)})
		}
	}
	return p.told[from:len(p.told):len(p.told)]
}

// score returns what a place is worth, at most board.MaxScore.
func (p *openPages) score(at place) int64 {
	if at.period.Window() == board.Month {
		if m := p.findMonth(at.period.First().Month()); m != nil {
			return min(m.sums[m.boardIndex(at.board)], board.MaxScore)
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
		p.updateTotals()
		return p.totals.sum(at.board, at.period)
	}
}

// updateTotals carries what the changed months come to into the totals. Who has
// months has totals, be they empty: whether the page is there must not depend on
// what came first.
func (p *openPages) updateTotals() {
	for _, m := range p.months {
		if !m.dirty {
			continue
		}
		p.totals.dirty = p.totals.dirty || p.totals.isNew
		for _, name := range p.ledger.rules.Boards() {
			score, reached := m.sum(name)
			p.totals.set(monthTotal{name, m.of, score, reached})
		}
	}
}
