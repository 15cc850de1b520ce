package reference

import "laurel/shared/board"

// Standing returns where a user is on a board in a period, and where the user
// was in the period before; All has none before it. It sorts both boards: who
// wants everyone's rank reads them off Board.
func (l *Ledger) Standing(boardName string, p board.Period, user string) board.Standing {
	entries := l.Board(boardName, p)
	var previousRank int64
	if p.Prev() != p {
		previousRank = rank(l.Board(boardName, p.Prev()), user)
	}
	mine, total := rank(entries, user), int64(len(entries))
	s := board.Standing{Total: total}
	if previousRank > 0 {
		s.PreviousRank = &previousRank
	}
	if mine == 0 {
		s.ToNext = new(int64(1))
		return s
	}
	packed := entries[mine-1].Packed
	s.Rank, s.Score, s.Ticks, s.Percentile = mine, packed.Score(), packed.Ticks(), new(board.Percentile(mine, total))
	if mine > 1 {
		s.ToNext = new(entries[mine-2].Packed.Score() - s.Score + 1)
	}
	return s
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
