package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// apply admits an activity, merges it into the pages and returns its receipt and
// what it has changed.
func (p *openPages) apply(a *activity.Activity, arrival Arrival) (Receipt, Registers) {
	date := p.ledger.calendar.Date(a.At)
	rule := p.ledger.rules.On(date).Find(a.Action)
	if rule == nil {
		panic("ledger: an activity with a violation: unknown action " + a.Action)
	}
	if status, refused := p.refuses(a, rule, date, arrival); refused {
		return Receipt{Status: status, Board: rule.Board, Day: date}, 0
	}
	m := p.merging(a, rule, date)
	m.into, m.limited, m.void = Own|Before|Follow, true, p.voids[a.Target]
	m.merge(a)
	return Receipt{
		Status: m.status, Points: m.points, Board: rule.Board, Day: m.day, Scores: p.scores(rule.Board, m.day),
	}, m.changed
}

// refuses returns the status of an activity that is not kept, and whether it is
// one: because its own day or month is final, by the clock, because the day's page
// left when it was final, because the user is excluded, or by the rules
// of what a user's own token reports.
func (p *openPages) refuses(
	a *activity.Activity, rule *activity.Rule, date board.Date, arrival Arrival,
) (Status, bool) {
	if p.monthClosed(date.Month()) || p.dayClosed(rule, date) ||
		p.closed.Has(rule.Board, board.PeriodOf(board.Month, date)) {
		return TooLate, true
	}
	if status, refused := arrival.refuses(a, rule); refused {
		return status, true
	}
	if !rule.Metric && rule.Scope(a.Ref) == activity.PerDay && p.summarized(rule, date) {
		return TooLate, true
	}
	if p.status.Excluded {
		return Excluded, true
	}
	return arrival.Facts.refuses(a, rule)
}

// merging is one activity on its way into the pages, and its receipt.
type merging struct {
	*openPages
	rule  *activity.Rule
	scope activity.Scope
	date  board.Date // its own day
	at    board.Moment
	key   string

	into    Registers    // those it may change
	limited bool         // new entries have to fit the limits
	void    board.Moment // until when its target is void, 0 for never

	status  Status
	points  int64
	day     board.Date // the receipt's
	changed Registers
}

func (p *openPages) merging(a *activity.Activity, rule *activity.Rule, date board.Date) *merging {
	p.one = merging{openPages: p, rule: rule, scope: rule.Scope(a.Ref), date: date, at: a.At, day: date}
	return &p.one
}

// merge merges the activity; everything it does is a minimum or a maximum.
func (a *merging) merge(act *activity.Activity) {
	undone := act.Action == a.rule.Undo
	if a.key == "" && !a.rule.Metric {
		a.key = keyOf(act, a.rule)
	}
	switch {
	case a.rule.Metric:
		a.report(*act.Value)
	case undone:
		a.undo()
	case act.Restores:
		a.restore()
	default:
		a.do()
	}
	// Whatever the status is: the list has rules of its own.
	if a.rule.TargetIsUser && a.into&Follow != 0 {
		if hash, ok := codec.HashInKey(a.key); ok && a.followList().merge(hash, act.Target, act.At, undone) {
			a.changed |= Follow
		}
	}
}

// keyOf returns the key of the activity's entry.
func keyOf(a *activity.Activity, rule *activity.Rule) string {
	var room [64]byte // most keys fit
	return string(codec.AppendKey(room[:0], a.Target, a.Ref, rule.TargetIsUser))
}

// own returns the month of the activity, nil when it may not be changed.
func (a *merging) own() *month {
	if a.into&Own == 0 {
		return nil
	}
	return a.month(a.date.Month())
}

// both returns the months whose entries an undo or a restore enters: its own, and
// for entries by month the one before; nil for one that may not be changed.
func (a *merging) both() [2]*month {
	months := [2]*month{a.own()}
	before := a.date.Month() - 1
	if a.into&Before != 0 && a.scope == activity.PerMonth && !a.monthClosed(before) {
		months[1] = a.month(before)
	}
	return months
}

// do merges that the target was done.
func (a *merging) do() {
	m := a.own()
	if m == nil {
		return
	}
	e, ok := a.enter(m)
	if !ok {
		a.status = Capped
		return
	}
	old := e.moments()
	now := old.done(a.at)
	full := a.full(e, now)
	a.become(&e, now)
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

// undo merges that the target was undone.
func (a *merging) undo() {
	var fell, stands, refused bool
	for i, m := range a.both() {
		if m == nil {
			continue
		}
		e, ok := a.enter(m)
		if !ok {
			refused = true
			continue
		}
		old := e.moments()
		now := old.undone(a.at)
		a.become(&e, now)
		falls := old.Stands() && !now.Stands()
		if i == 0 || (falls && !fell) {
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
	case refused:
		a.status = Capped
	default:
		a.status = NothingToRevoke
	}
}

// restore merges that the last undo was taken back.
func (a *merging) restore() {
	var rose, counted, stands, refused bool
	for i, m := range a.both() {
		if m == nil {
			continue
		}
		e, ok := a.enter(m)
		if !ok {
			refused = true
			continue
		}
		old := e.moments()
		now := old.restored(a.at)
		full := a.full(e, now)
		a.become(&e, now)
		rises := !old.Stands() && now.Stands()
		if i == 0 || (rises && !rose) {
			a.day = m.dateOf(now, a.date)
		}
		rose = rose || rises
		counted = counted || (rises && !full)
		stands = stands || now.Stands()
	}
	switch {
	case counted:
		a.status = Counted
	case rose:
		a.status = Capped
	case stands:
		a.status = Duplicate
	case refused:
		a.status = Capped
	default:
		a.status = Superseded
	}
}

// report merges a metric's value. A value of 0 is as good as none.
func (a *merging) report(value int64) {
	a.status = Duplicate
	m := a.own()
	if m == nil {
		return
	}
	t := m.action(a.rule.Action)
	day := int(a.date - m.days.First)
	known := t.summary(day)
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
	a.changed |= Own
	a.countAgain(change)
}

// become gives an entry its new moments. Where the entry is kept moves with them.
func (a *merging) become(e *entered, now Moments) {
	old := e.moments()
	if old == now {
		return
	}
	m := e.month
	to := a.index(*e, now)
	change := a.takeOff(m, e.totals, a.index(*e, old), to)
	e.group.records[e.at].Moments = now
	e.at = e.group.reorder(e.at)
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
	if m.of == a.date.Month() {
		a.changed |= Own
	} else {
		a.changed |= Before
	}
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

// full says whether the day that an entry counts on with its new moments has its
// cap of others.
func (a *merging) full(e entered, now Moments) bool {
	to := a.index(e, now)
	limit := e.month.rule(e.totals, to).Cap
	return limit > 0 && e.totals.counts[to].n >= int64(limit)
}

// index returns the day of the month that an entry counts on; while it does not
// stand, the activity's own. That may be in another month: then it is the nearest
// day, which is counted afresh for nothing.
func (a *merging) index(e entered, of Moments) int {
	switch {
	case e.day != nil:
		return int(e.day.of - e.month.days.First)
	case of.Stands():
		return e.month.days.Index(of.CountsAt())
	default:
		return e.month.days.Index(a.at)
	}
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
