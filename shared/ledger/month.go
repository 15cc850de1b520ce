package ledger

import (
	"slices"
	"sort"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// cell is what one action came to on one day: how many entries stand (or a
// metric's value), and the moment of the last one within the cap.
type cell struct {
	n       int64
	reached board.Moment
}

// lane is a group of a month page with its days counted.
type lane struct {
	*group
	rules []*activity.Rule // by the month's rulesets; one that does not know the action is zero, and worth nothing
	cells [31]cell
}

// month is a user's month page, open.
type month struct {
	of    board.MonthOf
	days  *board.MonthDays
	names []string            // of the rules' boards
	sets  []*activity.Ruleset // in force in the month, one after the other
	set   [31]uint8           // which of them is, by day
	lanes []*lane             // by action
	sums  []int64             // what the month is worth on each of the rules' boards, not held to board.MaxScore
	isNew bool
	dirty bool
}

func (l *Ledger) openMonth(of board.MonthOf, page string) (*month, error) {
	m := &month{of: of, days: l.calendar.Month(of), names: l.rules.Boards(), isNew: page == ""}
	m.sums = make([]int64, len(m.names))
	for day := range m.days.Days {
		set := l.rules.On(m.days.First + board.Date(day))
		if len(m.sets) == 0 || m.sets[len(m.sets)-1] != set {
			m.sets = append(m.sets, set)
		}
		m.set[day] = uint8(len(m.sets) - 1)
	}
	if page == "" {
		return m, nil
	}
	groups, err := decodeEntries(page)
	if err != nil {
		return nil, err
	}
	m.lanes = make([]*lane, len(groups), len(groups)+2)
	lanes := make([]lane, len(groups))
	for i, g := range groups {
		ln := &lanes[i]
		ln.group, ln.rules = g, m.rulesOf(g.action)
		m.lanes[i] = ln
		m.countAll(ln)
		for day := range m.days.Days {
			m.addSum(ln, day, +1)
		}
	}
	return m, nil
}

func (m *month) rulesOf(action string) []*activity.Rule {
	rules := make([]*activity.Rule, len(m.sets))
	for i, set := range m.sets {
		if rules[i] = set.Find(action); rules[i] == nil || rules[i].Action != action { // or the undo of another
			rules[i] = new(activity.Rule)
		}
	}
	return rules
}

// lane returns the lane of an action, a new one where there is none.
func (m *month) lane(action string) *lane {
	i := sort.Search(len(m.lanes), func(i int) bool { return m.lanes[i].action >= action })
	if i < len(m.lanes) && m.lanes[i].action == action {
		return m.lanes[i]
	}
	m.lanes = slices.Insert(m.lanes, i, &lane{group: &group{action: action}, rules: m.rulesOf(action)})
	return m.lanes[i]
}

// rule returns the rule of a lane on a day of the month.
func (m *month) rule(ln *lane, day int) *activity.Rule { return ln.rules[m.set[day]] }

// countAll counts every day of a lane afresh.
func (m *month) countAll(ln *lane) {
	ln.cells = [31]cell{}
	for i := range ln.records {
		if r := &ln.records[i]; r.Stands() {
			at := r.CountsAt()
			c := &ln.cells[m.days.Index(at)]
			c.n++
			c.reached = max(c.reached, at)
		}
	}
	for _, n := range ln.notes {
		c := &ln.cells[n.day]
		c.n += n.n
		c.reached = max(c.reached, n.moments[len(n.moments)-1])
	}
	for day := range ln.cells {
		if ln.cells[day].n > 1 {
			m.holdToCap(ln, day)
		}
	}
}

// count counts one day of a lane afresh.
func (m *month) count(ln *lane, day int) {
	c := cell{}
	for i := range ln.records {
		if r := &ln.records[i]; r.Stands() && m.days.Index(r.CountsAt()) == day {
			c.n++
			c.reached = max(c.reached, r.CountsAt())
		}
	}
	if n := ln.note(day); n != nil {
		c.n += n.n
		c.reached = max(c.reached, n.moments[len(n.moments)-1])
	}
	ln.cells[day] = c
	m.holdToCap(ln, day)
}

// holdToCap moves a day's reached to its cap-th earliest entry when there are
// more than the cap.
func (m *month) holdToCap(ln *lane, day int) {
	rule := m.rule(ln, day)
	c := &ln.cells[day]
	if rule.Metric || rule.Cap == 0 || c.n <= int64(rule.Cap) {
		return
	}
	var moments []board.Moment
	for i := range ln.records {
		if r := &ln.records[i]; r.Stands() && m.days.Index(r.CountsAt()) == day {
			moments = append(moments, r.CountsAt())
		}
	}
	n := ln.note(day)
	if len(moments) == 0 {
		c.reached = n.moments[len(n.moments)-1] // the day's page has chosen it
		return
	}
	if n != nil {
		moments = append(moments, n.moments...)
	}
	slices.Sort(moments)
	c.reached = moments[min(rule.Cap, len(moments))-1]
}

// points is what a lane is worth on a day.
func (m *month) points(ln *lane, day int) int64 {
	rule := m.rule(ln, day)
	if rule.Metric {
		return ln.cells[day].n
	}
	return rule.Points * int64(rule.Counted(int(ln.cells[day].n)))
}

// day returns what a day is worth on a board, and when that was reached.
func (m *month) day(name string, day int) (score int64, reached board.Moment) {
	for _, ln := range m.lanes {
		if ln.cells[day].n == 0 || m.rule(ln, day).Board != name {
			continue
		}
		if points := m.points(ln, day); points > 0 {
			score += points
			reached = max(reached, ln.cells[day].reached)
		}
	}
	return score, reached
}

// sum returns what the month is worth on a board, not held to board.MaxScore,
// and when that was reached.
func (m *month) sum(name string) (score int64, reached board.Moment) {
	for day := range m.days.Days {
		s, at := m.day(name, day)
		score += s
		reached = max(reached, at)
	}
	return score, reached
}

// entries returns how many entries the month's own page holds.
func (m *month) entries() int {
	n := 0
	for _, ln := range m.lanes {
		n += len(ln.records)
	}
	return n
}

func (m *month) encode() string {
	groups := make([]*group, 0, len(m.lanes))
	for _, ln := range m.lanes {
		if len(ln.notes)+len(ln.records) > 0 {
			groups = append(groups, ln.group)
		}
	}
	return encodeEntries(groups)
}

// note returns the note of a day, nil when there is none.
func (g *group) note(day int) *note {
	i, ok := g.findNote(day)
	if !ok {
		return nil
	}
	return &g.notes[i]
}

func (g *group) findNote(day int) (int, bool) {
	return slices.BinarySearchFunc(g.notes, day, func(n note, day int) int { return n.day - day })
}

// setNote replaces the note of a day; one with n == 0 takes it away. It says
// whether that changed anything.
func (g *group) setNote(n note) bool {
	i, ok := g.findNote(n.day)
	switch {
	case ok && g.notes[i].n == n.n && slices.Equal(g.notes[i].moments, n.moments):
		return false
	case ok && n.n == 0:
		g.notes = slices.Delete(g.notes, i, i+1)
	case ok:
		g.notes[i] = n
	case n.n > 0:
		g.notes = slices.Insert(g.notes, i, n)
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
