package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// apply merges an activity into the pages and returns its receipt.
func (p *openPages) apply(a *activity.Activity, arrival Arrival) Receipt {
	date := p.ledger.calendar.Date(a.At)
	rule := p.ledger.rules.On(date).Find(a.Action)
	if rule == nil {
		panic("ledger: an activity with a violation: unknown action " + a.Action)
	}
	if status, refused := p.refuses(a, rule, date, arrival); refused {
		return Receipt{Status: status, Board: rule.Board, Day: date}
	}
	m := merging{openPages: p, rule: rule, scope: rule.Scope(a.Ref), date: date, at: a.At, day: date}
	undone := a.Action == rule.Undo
	switch {
	case rule.Metric:
		m.report(*a.Value)
	case undone:
		m.key = keyOf(a, rule)
		m.undo()
	default:
		m.key = keyOf(a, rule)
		m.do()
	}
	if rule.TargetIsUser { // whatever the status is: the list has rules of its own
		p.followList().merge(a.Target, a.At, undone)
	}
	return Receipt{Status: m.status, Points: m.points, Board: rule.Board, Day: m.day, Scores: p.scores(rule.Board, m.day)}
}

// keyOf returns the key of the activity's entry.
func keyOf(a *activity.Activity, rule *activity.Rule) string {
	var room [64]byte // most keys fit
	return string(codec.AppendKey(room[:0], a.Target, a.Ref, rule.TargetIsUser))
}

// refuses returns the status of an activity that is not kept, and whether it is
// one: because its own day or month is final, by the clock, or because the user
// is excluded.
func (p *openPages) refuses(
	a *activity.Activity, rule *activity.Rule, date board.Date, arrival Arrival,
) (Status, bool) {
	if p.monthClosed(date.Month()) ||
		p.closed.Has(rule.Board, board.PeriodOf(board.Day, date)) ||
		p.closed.Has(rule.Board, board.PeriodOf(board.Month, date)) {
		return TooLate, true
	}
	if status, refused := arrival.refuses(a, rule); refused {
		return status, true
	}
	return Excluded, p.status.Excluded
}

// merging is one activity on its way into the pages, and its receipt.
type merging struct {
	*openPages
	rule  *activity.Rule
	scope activity.Scope
	date  board.Date // its own day
	at    board.Moment
	key   string

	status Status
	points int64
	day    board.Date // the receipt's
}

// do merges that the target was done.
func (a *merging) do() {
	m := a.month(a.date.Month())
	e, ok := a.enter(m)
	if !ok {
		a.status = Capped
		return
	}
	old := e.moments()
	now := old.done(a.at)
	to := a.index(m, now)
	limit := m.rule(e.totals, to).Cap
	full := limit > 0 && e.totals.counts[to].n >= int64(limit)
	a.become(e, now)
	switch {
	case old.Stands():
		a.status = Duplicate
	case now.Stands() && full:
		a.status = Capped
	case now.Stands():
		a.status = Counted
	default:
		a.status = Superseded
	}
	a.day = m.dateOf(now, a.date)
}

// undo merges that the target was undone, in each entry that it enters: that of
// its own day, or those of its own month and of the month before.
func (a *merging) undo() {
	own := a.month(a.date.Month())
	entered := [2]*month{own}
	if before := own.of - 1; a.scope == activity.PerMonth && !a.monthClosed(before) {
		entered[1] = a.month(before)
	}
	var fell, stands, full bool
	for _, m := range entered {
		if m == nil {
			continue
		}
		e, ok := a.enter(m)
		if !ok {
			full = true
			continue
		}
		old := e.moments()
		now := old.undone(a.at)
		a.become(e, now)
		falls := old.Stands() && !now.Stands()
		if m == own || (falls && !fell) {
			a.day = m.dateOf(now, a.date)
		}
		fell = fell || falls
		stands = stands || now.Stands()
	}
	switch {
	case fell:
		a.status = Revoked
	case stands:
		a.status = Superseded
	case full:
		a.status = Capped
	default:
		a.status = NothingToRevoke
	}
}

// report merges a metric's value. A value of 0 is as good as none.
func (a *merging) report(value int64) {
	m := a.month(a.date.Month())
	t := m.action(a.rule.Action)
	day := int(a.date - m.days.First)
	known := t.summary(day)
	a.status = Duplicate
	switch {
	case known == nil && value == 0, known != nil && value < known.n:
		return
	case known != nil && value == known.n && a.at >= known.moments[0]:
		return
	case known == nil || value > known.n:
		a.status = Counted
	}
	change := a.takeOff(m, t, day, day)
	t.setSummary(daySummary{day: day, n: value, moments: []board.Moment{a.at}})
	m.dirty = true
	a.countAgain(change)
}

// entered is the entry that an activity falls in, and where it is kept.
type entered struct {
	month  *month
	totals *actionTotals
	day    *day // nil when the entry is by month
	group  *group
	at     int // of the group's records
}

func (e entered) moments() Moments { return e.group.records[e.at].Moments }

// enter returns the activity's entry in the month, a new one when there is room
// for it.
func (a *merging) enter(m *month) (entered, bool) {
	e := entered{month: m, totals: m.action(a.rule.Action)}
	e.group = e.totals.group
	if a.scope == activity.PerDay {
		e.day = a.openPages.day(a.date)
		e.group = e.day.group(a.rule.Action)
	}
	if e.at = e.group.find(a.key); e.at >= 0 {
		return e, true
	}
	if e.day == nil && m.entries() >= activity.MaxMonthEntries ||
		e.day != nil && e.day.entries() >= activity.MaxDayEntries {
		return e, false
	}
	e.at = len(e.group.records)
	e.group.records = append(e.group.records, record{key: a.key})
	return e, true
}

// become gives an entry its new moments. Where the entry is kept moves with them.
func (a *merging) become(e entered, now Moments) {
	old := e.moments()
	if old == now {
		return
	}
	m := e.month
	to := a.index(m, now)
	change := a.takeOff(m, e.totals, a.index(m, old), to)
	e.group.records[e.at].Moments = now
	e.group.reorder(e.at)
	if e.day == nil {
		m.dirty = true
	} else {
		e.day.dirty = true
		// A day page is found through its month's page, so that one has to exist.
		if e.totals.setSummary(summarize(e.group, to, m.rule(e.totals, to))) || m.isNew {
			m.dirty = true
		}
	}
	a.countAgain(change)
}

// recount is a change of what counts on up to two days of an action.
type recount struct {
	month    *month
	totals   *actionTotals
	from, to int
	before   int64 // the month's scores
}

// takeOff takes what the days are worth off the month, before a change.
func (a *merging) takeOff(m *month, t *actionTotals, from, to int) recount {
	c := recount{m, t, from, to, m.scoreSum()}
	for day := range c.days {
		a.touch(m.rule(t, day).Board, m.days.First+board.Date(day))
		m.addSum(t, day, -1)
	}
	return c
}

// countAgain counts the days afresh after the change, and adds to the receipt's
// points what the month's scores have moved by.
func (a *merging) countAgain(c recount) {
	for day := range c.days {
		c.month.count(c.totals, day)
		c.month.addSum(c.totals, day, +1)
	}
	a.points += c.month.scoreSum() - c.before
}

func (c recount) days(yield func(int) bool) {
	if yield(c.from) && c.to != c.from {
		yield(c.to)
	}
}

// index returns the day of the month that an entry counts on; its activity's own
// while it does not stand. An undo may be of the month after: then it is the
// last day, which is counted afresh for nothing.
func (a *merging) index(m *month, e Moments) int {
	if e.Stands() {
		return m.days.Index(e.CountsAt())
	}
	return m.days.Index(a.at)
}

// dateOf returns the day that a receipt tells of an entry: where it counts, else
// that of the last time it was done, else the activity's own.
func (m *month) dateOf(e Moments, own board.Date) board.Date {
	switch {
	case e.Stands():
		return m.days.First + board.Date(m.days.Index(e.CountsAt()))
	case e.Last != 0:
		return m.days.First + board.Date(m.days.Index(e.Last))
	default:
		return own
	}
}
