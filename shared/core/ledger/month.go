package ledger

import (
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// dayCount is the count of one action on one day: the number of standing entries (or a metric's value), and the
// moment of the last one within the cap.
type dayCount struct {
	n       int64
	reached board.Moment
	lesser  []board.Moment // of the last one within each cap of boards, by its index less 1; nil: all are reached
}

// moment returns that of the last entry within a board's cap.
func (c *dayCount) moment(w *activity.Weight) board.Moment {
	if w.Limit == 0 || c.lesser == nil {
		return c.reached
	}
	return c.lesser[w.Limit-1]
}

// allDays are those of a month, as bits.
const allDays = 1<<31 - 1

// actionTotals is a group of a month page with its days counted.
type actionTotals struct {
	*group
	rules  []*activity.Rule // by the month's rulesets; one that does not know the action is zero, and worth nothing
	counts [31]dayCount
}

// month is a user's month page, open.
type month struct {
	openPage
	number  board.MonthOf
	days    *board.MonthDays
	sets    []*activity.Ruleset // in force in the month, one after the other
	set     [31]uint8           // the index of each day's count
	actions []*actionTotals     // of the groups
	awards  awards
	size    sizes // of the ledger, about
	room    *room // for new actions

	voidWith []codec.PersonHash // people whose pairs with the user are void
	own      []codec.PersonHash // the user's own, if others were merged into the user
}

// masked says whether entries by month may count for nothing by their other persons.
func (m *month) masked() bool { return len(m.voidWith)+len(m.own) > 0 }

// isVoid says whether an entry by month is of a void pair, or of oneself since a merge: it counts for nothing, and
// takes no place.
func (m *month) isVoid(t *actionTotals, r *record) bool {
	return m.masked() && r.person() != 0 && (slices.Contains(m.voidWith, r.person()) || m.isOwn(t, r))
}

// isOwn says whether the other person of an entry by month is the user, and the rule wants another.
func (m *month) isOwn(t *actionTotals, r *record) bool {
	if !slices.Contains(m.own, r.person()) {
		return false
	}
	return wantsAnother(m.rule(t, m.days.Index(r.earliest())))
}

// wantsAnother says whether an act of a rule with oneself counts for nothing.
func wantsAnother(rule *activity.Rule) bool { return rule != nil && (rule.NotOwn || rule.TargetIsUser) }

// newMonth returns a month without entries.
func (l *Ledger) newMonth(in *room, number board.MonthOf) *month {
	m := in.months.one()
	m.number, m.days, m.room = number, l.calendar.Month(number), in
	m.awards.rules = l.rules
	for day := range m.days.Days {
		set := l.rules.On(m.days.First + board.Date(day))
		if len(m.sets) == 0 || m.sets[len(m.sets)-1] != set {
			m.sets = append(m.sets, set)
		}
		m.set[day] = uint8(len(m.sets) - 1)
	}
	return m
}

// insert adds a group, with totals that count nothing yet.
func (m *month) insert(i int, g *group) *actionTotals {
	t := m.room.totals.one()
	t.group = g
	for _, set := range m.sets {
		rule := set.Find(g.action)
		if rule == nil || rule.Action != g.action { // or the undo of another
			rule = new(activity.Rule)
		}
		t.rules = append(t.rules, rule)
	}
	m.groups, m.actions = slices.Insert(m.groups, i, g), slices.Insert(m.actions, i, t)
	return t
}

// action returns the totals of an action, a new one where there is none.
func (m *month) action(action string) *actionTotals {
	i, found := m.find(action)
	if found {
		return m.actions[i]
	}
	g := m.room.groups.one()
	g.action = action
	return m.insert(i, g)
}

// rule returns the rule of an action on a day of the month.
func (m *month) rule(t *actionTotals, day int) *activity.Rule { return t.rules[m.set[day]] }

// count counts days of an action again; the days are given as bits. Past the cap, a day was reached with its
// cap-th earliest entry.
func (m *month) count(t *actionTotals, days uint32) {
	all := make([]board.Moment, 0, len(t.records))
	for i := range t.records {
		if r := &t.records[i]; r.Stands() && days&(1<<m.days.Index(r.CountsAt())) != 0 && !m.isVoid(t, r) {
			all = append(all, r.CountsAt())
		}
	}
	slices.Sort(all)
	for day := range t.counts {
		if days&(1<<day) == 0 {
			continue
		}
		n := 0
		for n < len(all) && m.days.Index(all[n]) == day {
			n++
		}
		moments := all[:n:n]
		all = all[n:]
		t.counts[day] = countOf(m.rule(t, day), moments, t.summary(day))
	}
}

// countOf counts the moments of a day's standing entries, which are in order, and those that its summary has, if there
// is one.
func countOf(rule *activity.Rule, moments []board.Moment, s *daySummary) dayCount {
	count := dayCount{n: int64(len(moments))}
	if s != nil {
		count.n += s.n
		if moments = append(moments, s.moments...); len(moments) > len(s.moments) {
			slices.Sort(moments)
		}
	}
	if len(moments) == 0 {
		return count
	}
	decisive := s != nil && len(s.caps) > 0
	if count.reached = moments[rule.Counted(len(moments))-1]; decisive {
		count.reached = moments[len(moments)-1]
	}
	caps := rule.Caps()
	if len(caps) == 0 {
		return count
	}
	count.lesser = make([]board.Moment, len(caps))
	for i, limit := range caps {
		known, ok := s.within(limit)
		switch {
		case ok:
			count.lesser[i] = known
		case len(moments) >= limit && !decisive:
			count.lesser[i] = moments[limit-1]
		default: // fewer count than the cap allows, or the day was closed before a board had this cap
			count.lesser[i] = count.reached
		}
	}
	return count
}

// points returns the points of an action on its own board on a day.
func (m *month) points(t *actionTotals, day int) int64 {
	rule := m.rule(t, day)
	if w := rule.On(rule.Board); w != nil {
		return w.Worth(t.counts[day].n)
	}
	return 0
}

// sum returns the month's score on a board, which may be below 0 and above board.MaxScore, and the time when it was
// reached.
func (m *month) sum(name string) (score int64, reached board.Moment) {
	return m.worth(name, 0, m.days.Days)
}

// worth returns that of days from one to another, exclusive.
func (m *month) worth(name string, start, until int) (score int64, reached board.Moment) {
	for _, t := range m.actions {
		for day := start; day < until; day++ {
			count := &t.counts[day]
			if count.n == 0 {
				continue
			}
			w := m.rule(t, day).On(name)
			if w == nil {
				continue
			}
			if score += w.Worth(count.n); w.Points > 0 {
				reached = max(reached, count.moment(w))
			}
		}
	}
	points, moment := m.awards.worth(name, start, until)
	return score + points, max(reached, moment)
}

// summary returns the summary of a day, nil when there is none.
func (g *group) summary(day int) *daySummary {
	i, ok := g.findSummary(day)
	if !ok {
		return nil
	}
	return &g.summaries[i]
}

func (g *group) findSummary(day int) (int, bool) {
	return slices.BinarySearchFunc(g.summaries, day, func(n daySummary, day int) int { return n.day - day })
}

// setSummary replaces the summary of a day; one with n == 0 removes it. It says whether that changed anything.
func (g *group) setSummary(n daySummary) bool {
	i, ok := g.findSummary(n.day)
	switch {
	case ok && g.summaries[i].equals(&n):
		return false
	case ok && n.n == 0:
		g.summaries = slices.Delete(g.summaries, i, i+1)
	case ok:
		g.summaries[i] = n
	case n.n > 0:
		g.summaries = slices.Insert(g.summaries, i, n)
	default:
		return false
	}
	return true
}

// find returns where the entry of a key is, -1 when there is none.
func (g *group) find(key string) int {
	for i := range g.records {
		if g.records[i].key == key {
			return i
		}
	}
	return -1
}
