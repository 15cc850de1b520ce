package ledger

import "laurel/shared/board"

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
	first, last, until := of.First(), (of+1).First()-1, p.today()+1
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
