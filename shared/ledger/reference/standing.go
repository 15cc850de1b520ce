package reference

import "laurel/shared/board"

// Standing returns where a user is on a board in a period, and where the user
// was in the period before; All has none before it. It sorts both boards: who
// wants everyone's rank reads them off Board.
func (l *Ledger) Standing(boardName string, p board.Period, user string) board.Standing {
	return l.standing("", boardName, p, user)
}

// OwnStanding is Standing as the user is told: a hidden one learns the place that
// the user would have.
func (l *Ledger) OwnStanding(boardName string, p board.Period, user string) board.Standing {
	return l.standing(user, boardName, p, user)
}

func (l *Ledger) standing(viewer, boardName string, p board.Period, user string) board.Standing {
	entries := l.boardFor(viewer, boardName, p)
	var previousRank int64
	if p.Prev() != p {
		previousRank = rank(l.boardFor(viewer, boardName, p.Prev()), user)
	}
	mine, total := rank(entries, user), int64(len(entries))
	var score int64
	if mine > 0 {
		score = entries[mine-1].Packed.Score()
	}

	var above int64
	aboveMe := mine - 1 // the rank of the place to take next
	if mine == 0 {
		aboveMe = total
	}
	if aboveMe > 0 {
		above = entries[aboveMe-1].Packed.Score()
	}
	return board.NewStanding(mine, score, total, above, aboveMe > 0, previousRank)
}

// rank returns a user's place among entries in order, from 1; 0 when not there.
func rank(entries []board.Entry, user string) int64 {
	for i, e := range entries {
		if e.User == user {
			return int64(i) + 1
		}
	}
	return 0
}
