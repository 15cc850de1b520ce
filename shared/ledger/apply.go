package ledger

import (
	"slices"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
)

// merging is one activity on its way into the pages, and its receipt.
type merging struct {
	*openPages
	rule  *activity.Rule
	scope activity.Scope
	date  board.Date // its own day
	at    board.Moment
	key   string

	void board.Moment // until when its target is void, 0 for never

	status Status
	points int64
	day    board.Date // the receipt's
}

// merge merges the activity; everything it does is a minimum or a maximum.
func (a *merging) merge(act *activity.Activity) {
	undone := act.Action == a.rule.Undo
	if !a.rule.Metric {
		a.key = string(codec.AppendKey(nil, act.Target, act.Ref, a.rule.TargetIsUser))
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
	if a.rule.TargetIsUser {
		a.follows = append(a.follows, FollowChange{act.Target, act.At, undone})
	}
}

// own returns the month of the activity.
func (a *merging) own() *month { return a.month(a.date.Month()) }

// do merges that the target was done.
func (a *merging) do() {
	m := a.own()
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

// An effect is what an undo or a restore does to one of the two entries that it enters.
type effect struct {
	old, now Moments
	full     bool // the day on which it counts now has its cap of others
	day      board.Date
}

func (e effect) fell() bool { return e.old.Stands() && !e.now.Stands() }
func (e effect) rose() bool { return !e.old.Stands() && e.now.Stands() }

// enterBoth merges an undo or a restore into the entries that it enters: of its own month, and for entries by
// month of the one before, if that is not closed. It chooses the receipt's day: the own month's if that entry
// fell or rose, else the other's if that did or alone stands. refused says that the limits left no room for one.
func (a *merging) enterBoth(with func(Moments, board.Moment) Moments) (both [2]effect, refused bool) {
	months := [2]*month{a.own()}
	if before := a.date.Month() - 1; a.scope == activity.PerMonth && !a.monthClosed(before) {
		months[1] = a.month(before)
	}
	for i, m := range months {
		both[i].day = a.date
		if m == nil {
			continue
		}
		e, ok := a.enter(m)
		if !ok {
			refused = true
			continue
		}
		old := e.moments()
		now := with(old, a.at)
		both[i] = effect{old, now, a.full(e, now), m.dateOf(now, a.date)}
		a.become(&e, now)
	}
	own, other := both[0], both[1]
	if a.day = own.day; !own.fell() && !own.rose() &&
		(other.fell() || other.rose() || other.now.Stands() && !own.now.Stands()) {
		a.day = other.day
	}
	return both, refused
}

// undo merges that the target was undone.
func (a *merging) undo() {
	of, refused := a.enterBoth(Moments.undone)
	switch {
	case of[0].fell() || of[1].fell():
		a.status = Revoked
	case of[0].now.Stands() || of[1].now.Stands():
		a.status = Superseded
	case refused:
		a.status = Capped
	default:
		a.status = NothingToRevoke
	}
}

// restore merges that the last undo was taken back.
func (a *merging) restore() {
	of, refused := a.enterBoth(Moments.restored)
	switch {
	case of[0].rose() && !of[0].full || of[1].rose() && !of[1].full:
		a.status = Counted
	case of[0].rose() || of[1].rose():
		a.status = Capped
	case of[0].now.Stands() || of[1].now.Stands():
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
	a.recount(m, t, day, day, func() {
		t.setSummary(daySummary{day: day, n: value, moments: []board.Moment{a.at}})
		m.dirty = true
	})
}

// become gives an entry its new moments. Where the entry is kept moves with them.
func (a *merging) become(e *entered, now Moments) {
	old := e.moments()
	if old == now {
		return
	}
	m := e.month
	to := a.index(*e, now)
	a.recount(m, e.totals, a.index(*e, old), to, func() {
		e.group.records[e.at].Moments = now
		e.at = e.group.reorder(e.at)
		if e.day == nil {
			m.dirty = true
		} else {
			e.day.dirty = true
			if e.totals.setSummary(summarize(e.group, to, m.rule(e.totals, to))) {
				m.dirty = true
			}
		}
	})
}

// recount makes a change of what counts on up to two days of an action, counts these afresh, and adds to the
// receipt's points what the month's scores have moved by.
func (a *merging) recount(m *month, t *actionTotals, from, to int, change func()) {
	days := []int{from, to}
	if from == to {
		days = days[:1]
	}
	var boards []string // one, if rules do not move the action to another
	for _, day := range days {
		name := m.rule(t, day).Board
		a.touch(name, m.days.First+board.Date(day))
		if !slices.Contains(boards, name) {
			boards = append(boards, name)
		}
	}
	move := func(sign int64) {
		for _, name := range boards {
			score, _ := m.sum(name)
			a.points += sign * min(score, board.MaxScore)
		}
	}
	move(-1)
	change()
	m.count(t, 1<<from|1<<to)
	move(1)
}

// full says whether the day that an entry counts on with its new moments has its cap of others.
func (a *merging) full(e entered, now Moments) bool {
	to := a.index(e, now)
	limit := e.month.rule(e.totals, to).Cap
	return limit > 0 && e.totals.counts[to].n >= int64(limit)
}

// index returns the day of the month that an entry counts on; while it does not stand, the activity's own, or
// the nearest if that is in another month, which is counted afresh for nothing.
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

// dateOf returns the day that a receipt tells of an entry: where it counts, else that of the last time it was
// done, else the activity's own.
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
