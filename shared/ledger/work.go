package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// work is one activity being applied: what is known of it, and the receipt.
type work struct {
	*Book
	rule  activity.Rule
	scope activity.Scope
	date  board.Date // its own day
	at    board.Moment
	key   string

	status Status
	points int64
	day    board.Date // the receipt's
}

// do merges that the target was done.
func (w *work) do() {
	m := w.month(w.date.Month())
	e, ok := w.enter(m)
	if !ok {
		w.status = Capped
		return
	}
	old := e.moments()
	now := old.done(w.at)
	to := w.index(m, now)
	limit := m.rule(e.lane, to).Cap
	full := limit > 0 && e.lane.cells[to].n >= int64(limit)
	w.become(e, now)
	switch {
	case old.Stands():
		w.status = Duplicate
	case now.Stands() && full:
		w.status = Capped
	case now.Stands():
		w.status = Counted
	default:
		w.status = Superseded
	}
	w.day = m.dateOf(now, w.date)
}

// undo merges that the target was undone, in each entry that it enters: that of
// its own day, or those of its own month and of the month before.
func (w *work) undo() {
	own := w.month(w.date.Month())
	entered := []*month{own}
	if before := own.of - 1; w.scope == activity.PerMonth && !w.monthClosed(before) {
		entered = append(entered, w.month(before))
	}
	var fell, stands, full bool
	for _, m := range entered {
		e, ok := w.enter(m)
		if !ok {
			full = true
			continue
		}
		old := e.moments()
		now := old.undone(w.at)
		w.become(e, now)
		falls := old.Stands() && !now.Stands()
		if m == own || (falls && !fell) {
			w.day = m.dateOf(now, w.date)
		}
		fell = fell || falls
		stands = stands || now.Stands()
	}
	switch {
	case fell:
		w.status = Revoked
	case stands:
		w.status = Superseded
	case full:
		w.status = Capped
	default:
		w.status = NothingToRevoke
	}
}

// report merges a metric's value. A value of 0 is as good as none.
func (w *work) report(value int64) {
	m := w.month(w.date.Month())
	ln := m.lane(w.rule.Action)
	day := int(w.date - m.days.First)
	known := ln.note(day)
	w.status = Duplicate
	switch {
	case known == nil && value == 0, known != nil && value < known.n:
		return
	case known != nil && value == known.n && w.at >= known.moments[0]:
		return
	case known == nil || value > known.n:
		w.status = Counted
	}
	w.recount(m, ln, day, day, func() {
		ln.setNote(note{day: day, n: value, moments: []board.Moment{w.at}})
		m.dirty = true
	})
}

// entered is the entry that an activity falls in, and where it is kept.
type entered struct {
	month *month
	lane  *lane
	day   *day // nil when the entry is by month
	group *group
	at    int // of the group's records
}

func (e entered) moments() Moments { return e.group.records[e.at].Moments }

// enter returns the activity's entry in the month, a new one when there is room
// for it.
func (w *work) enter(m *month) (entered, bool) {
	e := entered{month: m, lane: m.lane(w.rule.Action)}
	e.group = e.lane.group
	if w.scope == activity.PerDay {
		e.day = w.Book.day(w.date)
		e.group = e.day.group(w.rule.Action)
	}
	if e.at = e.group.find(w.key); e.at >= 0 {
		return e, true
	}
	if (e.day == nil && m.entries() >= activity.MaxMonthEntries) || (e.day != nil && e.day.entries() >= activity.MaxDayEntries) {
		return e, false
	}
	e.at = len(e.group.records)
	e.group.records = append(e.group.records, record{key: w.key})
	return e, true
}

// become gives an entry its new moments. Where the entry is kept moves with them.
func (w *work) become(e entered, now Moments) {
	old := e.moments()
	if old == now {
		return
	}
	m := e.month
	from, to := w.index(m, old), w.index(m, now)
	w.recount(m, e.lane, from, to, func() {
		e.group.records[e.at].Moments = now
		e.group.settle(e.at)
		if e.day == nil {
			m.dirty = true
			return
		}
		e.day.dirty = true
		// A day page is found through its month's page, so that one has to exist.
		if e.lane.setNote(noteOf(e.group, to, m.rule(e.lane, to))) || m.isNew {
			m.dirty = true
		}
	})
}

// recount makes an edit that moves something from one day of a lane to another,
// counts both afresh and adds what the month scores have moved by.
func (w *work) recount(m *month, ln *lane, from, to int, edit func()) {
	days := []int{from, to}
	if from == to {
		days = days[:1]
	}
	before := m.shown()
	for _, day := range days {
		w.touch(m.rule(ln, day).Board, m.days.First+board.Date(day))
		m.addSum(ln, day, -1)
	}
	edit()
	for _, day := range days {
		m.count(ln, day)
		m.addSum(ln, day, +1)
	}
	w.points += m.shown() - before
}

// index returns the day of the month that an entry counts on; its activity's own
// while it does not stand. An undo may be of the month after: then it is the
// last day, which is counted afresh for nothing.
func (w *work) index(m *month, e Moments) int {
	if e.Stands() {
		return m.days.Index(e.CountsAt())
	}
	return m.days.Index(w.at)
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
