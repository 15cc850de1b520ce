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

// days returns the scores of days on each board: over the actions that it counts, the sum of the counts within its cap.
// Entries by day and by month share that. Reached is the moment of the last entry within the cap: the
// cap-th earliest, or the latest if there are fewer; over the actions with points above 0, the latest of these.
func (l *Ledger) days() map[userDay]score {
	if l.scores != nil {
		return l.scores
	}
	l.scores = map[userDay]score{}
	moments, values := map[counted][]board.Moment{}, map[counted]int64{}
	for key, e := range l.entries {
		group := counted{key.User, key.Action, key.Metric, key.Day}
		switch e = l.withRef(key, l.withVoid(key, e)); {
		case l.isVoid(key, e):
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
		for _, w := range rule.Weights() {
			day, n := score{}, len(times)
			if w.Cap > 0 && !rule.Metric {
				n = min(n, w.Cap)
			}
			if day.points = w.Points * int64(n); rule.Metric {
				day.points = w.Points * values[group]
			}
			if w.Points > 0 && day.points > 0 {
				day.reached = times[n-1]
			}
			on := userDay{group.user, w.Board, group.day}
			l.scores[on] = l.scores[on].and(day)
		}
	}
	for key, a := range l.awards {
		for _, name := range l.rules.Boards() {
			if !a.Taken && a.Points != 0 && l.rules.AwardBoard(name) == a.Board {
				on := userDay{key.User, name, l.calendar.Date(a.At)}
				l.scores[on] = l.scores[on].and(a.score())
			}
		}
	}
	return l.scores
}

// Board returns everyone on a board in a period whom the board admits, in order: rank 1 comes first. A score is the sum
// of the period's days, above 0 and at most board.MaxScore; it was reached at the latest of them.
func (l *Ledger) Board(name string, p board.Period) (entries []board.Member) {
	scores := map[string]score{}
	for on, s := range l.days() {
		if on.board == name && p.Has(on.day) {
			scores[on.user] = scores[on.user].and(s)
		}
	}
	for user, s := range scores {
		if s.points <= 0 || l.people[user].Suppressed || !l.Admits(user, name, p) {
			continue
		}
		packed := board.Pack(min(s.points, board.MaxScore), l.calendar.Ticks(p, s.reached))
		entries = append(entries, board.Member{User: user, Packed: packed})
	}
	slices.SortFunc(entries, board.Compare)
	return entries
}

// Periods lists the window's periods in which anyone has points on the board, the newest first; none of a window
// that rolls, as its periods end with every day.
func (l *Ledger) Periods(name string, w board.Window) []board.Period {
	found := map[board.Period]bool{}
	for on, s := range l.days() {
		if on.board != name || s == (score{}) || w.Rolls() {
			continue
		}
		if p := l.rules.Period(name, w, on.day); p.Has(on.day) {
			found[p] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b board.Period) int { return b.Compare(a) })
}

// MonthPoints returns the sum of a user's points over all days and the boards that are actions' homes, and of the
// awards on other boards: the sum of the points of all receipts given to the user.
func (l *Ledger) MonthPoints(user string) (sum int64) {
	for on, s := range l.days() {
		if on.user == user && l.rules.Board(on.board).Home() {
			sum += s.points
		}
	}
	for key, a := range l.awards {
		if key.User == user && !a.Taken && !l.rules.Board(a.Board).Home() {
			sum += a.Points
		}
	}
	return sum
}
