package reference

import (
	"maps"
	"slices"

	"laurel/shared/core/board"
)

// A userDay is a user's day on a board.
type userDay struct {
	user, board string
	day         board.Date
}

// A score is the worth of that, or of a longer period, and the time when it was reached.
type score struct {
	points  int64
	reached board.Moment
}

// and adds the score of another day.
func (s score) and(other score) score {
	return score{s.points + other.points, max(s.reached, other.reached)}
}

// counted is a user's count of an action on a day. An action and a metric are kept apart in case the
// rules use one name for both at different times.
type counted struct {
	user, action string
	metric       bool
	day          board.Date
}

// days returns the scores of days: over the actions with points, the sum of the counts within the cap.
// Entries by day and by month share that. Reached is the moment of the last entry within the cap: the
// cap-th earliest, or the latest if there are fewer; over the actions, the latest of these.
func (l *Ledger) days() map[userDay]score {
	if l.scores != nil {
		return l.scores
	}
	l.scores = map[userDay]score{}
	moments, values := map[counted][]board.Moment{}, map[counted]int64{}
	for key, e := range l.entries {
		group := counted{key.User, key.Action, key.Metric, key.Day}
		switch e = l.withRef(key, l.withVoid(key, e)); {
		case key.Metric:
			moments[group], values[group] = []board.Moment{e.First}, e.Value
		case key.Action != "" && e.CountsAt() != 0:
			group.day = l.calendar.Date(e.CountsAt())
			moments[group] = append(moments[group], e.CountsAt())
		}
	}
	for group, times := range moments {
		rule := l.rules.On(group.day).Find(group.action)
		// The word may have become another's undo.
		if rule == nil || rule.Action != group.action || rule.Metric != group.metric {
			continue
		}
		slices.Sort(times)
		n := rule.Counted(len(times))
		points := rule.Points * int64(n)
		if rule.Metric {
			n, points = 1, values[group]
		}
		if points > 0 {
			on := userDay{group.user, rule.Board, group.day}
			l.scores[on] = l.scores[on].and(score{points, times[n-1]})
		}
	}
	return l.scores
}

// Board returns everyone on a board in a period, in order: rank 1 comes first. A score is the sum of the
// period's days, at most board.MaxScore; it was reached at the latest of them.
func (l *Ledger) Board(name string, p board.Period) (entries []board.Member) {
	scores := map[string]score{}
	for on, s := range l.days() {
		if on.board == name && board.PeriodOf(p.Window(), on.day) == p {
			scores[on.user] = scores[on.user].and(s)
		}
	}
	for user, s := range scores {
		packed := board.Pack(min(s.points, board.MaxScore), l.calendar.Ticks(p, s.reached))
		entries = append(entries, board.Member{User: user, Packed: packed})
	}
	slices.SortFunc(entries, board.Compare)
	return entries
}

// Periods lists the window's periods in which anyone has points on the board, the newest first.
func (l *Ledger) Periods(name string, w board.Window) []board.Period {
	found := map[board.Period]bool{}
	for on := range l.days() {
		if on.board == name {
			found[board.PeriodOf(w, on.day)] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b board.Period) int { return b.Compare(a) })
}

// MonthPoints returns the sum of a user's month scores over all months and boards: the sum of
// the points of all receipts given to the user.
func (l *Ledger) MonthPoints(user string) (sum int64) {
	for _, name := range l.rules.Boards() {
		for _, month := range l.Periods(name, board.Month) {
			for _, e := range l.Board(name, month) {
				if e.User == user {
					sum += e.Packed.Score()
				}
			}
		}
	}
	return sum
}
