package reference

import (
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// days holds, of one user, what counts on each day, by action.
type days map[board.Date]map[kind]*counting

// A kind is an action or a metric; they are told apart in case the rules use
// one name for both at different times.
type kind struct {
	action string
	metric bool
}

// counting is what of one action stands and counts on one day: entries by day
// and entries by month together, as they share the cap.
type counting struct {
	at    []board.Moment // the moments at which they count, the earliest first
	value int64          // of a metric, whose single moment at holds
}

// daysOf counts a user's entries afresh when they have changed.
func (l *Ledger) daysOf(user string) days {
	if known, ok := l.days[user]; ok {
		return known
	}
	counted := days{}
	for key, e := range l.entries[user] {
		switch {
		case key.Metric:
			c := counted.on(key.Day, key)
			c.at, c.value = []board.Moment{e.First}, e.Value
		case l.withVoid(key, e.Moments).stands():
			at := l.withVoid(key, e.Moments).countsAt()
			c := counted.on(l.calendar.Date(at), key)
			c.at = append(c.at, at)
		}
	}
	for _, actions := range counted {
		for _, c := range actions {
			slices.Sort(c.at)
		}
	}
	l.days[user] = counted
	return counted
}

func (d days) on(day board.Date, key Key) *counting {
	if d[day] == nil {
		d[day] = map[kind]*counting{}
	}
	k := kind{action: key.Action, metric: key.Metric}
	if d[day][k] == nil {
		d[day][k] = &counting{}
	}
	return d[day][k]
}

// points returns what an action is worth on a day whose rule for it this is.
func (c *counting) points(rule activity.Rule) int64 {
	if rule.Metric {
		return c.value
	}
	return rule.Points * int64(rule.Counted(len(c.at)))
}

// reached returns the moment of the last entry within the cap: the cap-th
// earliest of the day, or the latest if there are fewer.
func (c *counting) reached(rule activity.Rule) board.Moment {
	if rule.Metric {
		return c.at[0]
	}
	return c.at[rule.Counted(len(c.at))-1]
}

// rule returns the rule of an action on a day; there is none when the rules in
// force on it do not know the action, which is then worth nothing.
func (l *Ledger) rule(day board.Date, k kind) (activity.Rule, bool) {
	rule, known := l.rules.On(day).Rule(k.action)
	// The word may have become another action's undo.
	return rule, known && rule.Action == k.action && rule.Metric == k.metric
}

// Day returns a user's score of a day on a board, and when it was reached: over
// the actions worth points, the latest moment of the last entry within the cap.
// A day without points was reached at 0.
func (l *Ledger) Day(user, boardName string, day board.Date) (score int64, reached board.Moment) {
	for k, c := range l.daysOf(user)[day] {
		rule, known := l.rule(day, k)
		if !known || rule.Board != boardName || c.points(rule) == 0 {
			continue
		}
		score += c.points(rule)
		reached = max(reached, c.reached(rule))
	}
	return score, reached
}
