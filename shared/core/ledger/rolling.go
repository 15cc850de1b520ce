package ledger

import "laurel/shared/core/board"

// Rolls says whether the rules have boards whose windows roll.
func (l *Ledger) Rolls() bool { return l.longest > 0 }

// RollingMonths returns the months that rolling periods with last days from one to another have days of, final ones
// too: the account of Rolling has to have their ledgers. None without boards whose windows roll.
func (l *Ledger) RollingMonths(first, last board.Date) (months []board.MonthOf) {
	if !l.Rolls() {
		return nil
	}
	for m := (first - l.longest + 1).Month(); m <= last.Month(); m++ {
		months = append(months, m)
	}
	return months
}

// Rolling returns the places on the boards whose windows roll, by last day, from one to another: as many for each day,
// in the order of boards and windows, be their score 0; none without such windows. The account has to have the ledgers
// of RollingMonths. The error is that of DecideAccount.
func (l *Ledger) Rolling(a *Account, life *board.Life, first, last board.Date) ([]Shown, error) {
	if !l.Rolls() {
		return nil, nil
	}
	p := l.open(a, Surroundings{Life: life})
	defer p.close()
	if err := p.openMonths(a.sorted()); err != nil {
		return nil, err
	}
	var shown []Shown
	for day := first; day <= last; day++ {
		for _, name := range l.rules.Boards() {
			for _, w := range l.rules.Windows(name) {
				if w.Rolls() {
					shown = append(shown, p.place(name, board.PeriodOf(w, day)))
				}
			}
		}
	}
	return shown, nil
}

// PeriodOn returns the period of a board's window whose score a receipt of a day tells, if it has the day: that of the
// day, or the one that ends today if the window rolls.
func (l *Ledger) PeriodOn(name string, w board.Window, day, today board.Date) board.Period {
	if w.Rolls() {
		return board.PeriodOf(w, today)
	}
	return l.rules.Period(name, w, day)
}
