package ledger

import "laurel/shared/core/board"

// ToEnter returns the points that bring the person of an account onto each of some boards in periods that are not
// final: 1, or with a sum below zero 1 minus the sum, by the ledgers that the account has; nil for a board that does
// not admit the person. The error is that of DecideAccount.
func (l *Ledger) ToEnter(a *Account, life *board.Life, boards []board.ID) ([]*int64, error) {
	p := l.open(a, Surroundings{Life: life})
	defer p.close()
	if err := p.openMonths(a.sorted()); err != nil {
		return nil, err
	}
	points := make([]*int64, len(boards))
	for i, id := range boards {
		if l.Admits(a, id.Board, id.Period) {
			score, _ := p.worth(id.Board, id.Period)
			points[i] = new(1 - min(score, 0))
		}
	}
	return points, nil
}
