package ledger

import (
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
