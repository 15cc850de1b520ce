package reference

import (
	"maps"
	"slices"

	"laurel/shared/board"
)

// Period returns a user's score in a period of any window, kept by the board or
// not: the sum of its days, at most board.MaxScore; and when it was reached: the
// latest over the days that have points, 0 when none has.
func (l *Ledger) Period(user, boardName string, p board.Period) (score int64, reached board.Moment) {
	for day := range l.daysOf(user) {
		if board.PeriodOf(p.Window(), day) != p {
			continue
		}
		dayScore, dayReached := l.Day(user, boardName, day)
		score += dayScore
		reached = max(reached, dayReached) // 0 on a day without points
	}
	return min(score, board.MaxScore), reached
}

// Packed returns a user's score in a period as a board keeps it; false when the
// score is 0, as the user is then not on the board.
func (l *Ledger) Packed(user, boardName string, p board.Period) (board.Packed, bool) {
	score, reached := l.Period(user, boardName, p)
	if score == 0 {
		return 0, false
	}
	return board.Pack(score, l.calendar.Ticks(p, reached)), true
}

// Board returns everyone on a board in a period, in order: rank 1 comes first.
func (l *Ledger) Board(boardName string, p board.Period) []board.Entry {
	var entries []board.Entry
	for user := range l.entries {
		if packed, on := l.Packed(user, boardName, p); on {
			entries = append(entries, board.Entry{User: user, Packed: packed})
		}
	}
	slices.SortFunc(entries, board.Compare)
	return entries
}

// Periods lists the window's periods in which anyone has points on the board, the newest first.
func (l *Ledger) Periods(boardName string, w board.Window) []board.Period {
	found := map[board.Period]bool{}
	for user := range l.entries {
		for day := range l.daysOf(user) {
			if score, _ := l.Day(user, boardName, day); score > 0 {
				found[board.PeriodOf(w, day)] = true
			}
		}
	}
	newestFirst := func(a, b board.Period) int { return b.Compare(a) }
	return slices.SortedFunc(maps.Keys(found), newestFirst)
}

// MonthPoints returns the sum of a user's month scores over all months and
// boards: what the points of all receipts given to the user add up to.
func (l *Ledger) MonthPoints(user string) int64 {
	months := map[board.Period]bool{}
	for day := range l.daysOf(user) {
		months[board.PeriodOf(board.Month, day)] = true
	}
	var sum int64
	for month := range months {
		for _, boardName := range l.rules.Boards() {
			score, _ := l.Period(user, boardName, month)
			sum += score
		}
	}
	return sum
}
