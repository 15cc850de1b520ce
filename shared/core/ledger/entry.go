package ledger

import (
	"cmp"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// Moments are the four moments of an entry: the earliest and the latest moment it was done, both or
// neither, the latest it was undone, and the latest at which an undo was taken back; 0 is none.
type Moments struct {
	First, Last, Undone, Restored board.Moment
}

// done returns the moments with one more at which it was done.
func (m Moments) done(moment board.Moment) Moments {
	if m.First == 0 || moment < m.First {
		m.First = moment
	}
	m.Last = max(m.Last, moment)
	return m
}

// undone returns the moments with one more at which it was undone.
func (m Moments) undone(moment board.Moment) Moments {
	m.Undone = max(m.Undone, moment)
	return m
}

// restored returns the moments with one more at which an undo was taken back.
func (m Moments) restored(moment board.Moment) Moments {
	m.Restored = max(m.Restored, moment)
	return m
}

// inForce returns the moment of the undo that was not taken back, 0 for none. At an equal moment the restore wins.
func (m Moments) inForce() board.Moment {
	if m.Undone <= m.Restored {
		return 0
	}
	return m.Undone
}

// Stands says whether the entry was done, and not undone at or after the last time.
func (m Moments) Stands() bool { return m.Last != 0 && m.inForce() < m.Last }

// CountsAt returns the moment at which a standing entry counts.
func (m Moments) CountsAt() board.Moment {
	if m.inForce() < m.First {
		return m.First
	}
	return m.Last
}

// earliest is the moment by which entries are ordered on a page: when it was done, else undone, else restored.
func (m Moments) earliest() board.Moment { return cmp.Or(m.First, m.Undone, m.Restored) }

// record is an entry on a page: the moments under the key of target and ref.
type record struct {
	key   string
	other codec.PersonHash // the other person of an entry by month, if the key names nobody; 0: none
	Moments
}

// person returns the other person of an entry by month, 0 for none.
func (r *record) person() codec.PersonHash { return cmp.Or(r.other, codec.PersonIn(r.key)) }

// entered is the entry that an activity falls in, and where it is kept.
type entered struct {
	month  *month
	totals *actionTotals
	day    *day // nil when the entry is by month
	group  *group
	index  int // of the group's records
	isNew  bool
}

func (e entered) moments() Moments { return e.group.records[e.index].Moments }

// void says whether the entry is of a void pair.
func (e entered) void() bool {
	return e.day == nil && e.month.isVoid(e.totals, &e.group.records[e.index])
}

// changed notes that the group has to be written, and its count on a day.
func (e entered) changed() {
	if e.day == nil {
		e.month.dirty = true
		return
	}
	day := int(e.day.date - e.month.days.First)
	e.day.dirty = true
	if e.totals.setSummary(summarize(e.group, day, e.month.rule(e.totals, day))) {
		e.month.dirty = true
	}
}

// enter returns the activity's entry in the month, a new one when the limits leave room for it. On a void target
// it is undone, and with a ref it has the moments of the ref's register.
func (a *merging) enter(m *month) (entered, bool) {
	e := entered{month: m, totals: m.action(a.rule.Action)}
	e.group = e.totals.group
	if a.scope == activity.PerDay {
		e.day = a.openPages.day(a.date)
		e.group = e.day.group(a.rule.Action)
	}
	if e.index = e.group.find(a.key); e.index < 0 {
		if !a.fits(e) {
			return e, false
		}
		e.index, e.isNew = len(e.group.records), true
		e.group.records = append(e.group.records, record{key: a.key})
		e.month.size = a.grown(e)
		a.takeRegister(&e)
	}
	a.takeOther(e)
	if a.void != 0 && !a.rule.TargetIsUser {
		a.become(&e, e.raised(a.void)(e.moments()))
	}
	return e, true
}

// takeRegister gives a new entry the moments of its ref's register.
func (a *merging) takeRegister(e *entered) {
	if a.byRef == "" {
		return
	}
	if i := e.group.find(a.byRef); i >= 0 {
		register := e.group.records[i]
		a.become(e, Moments{Undone: register.Undone, Restored: register.Restored})
	}
}

// takeOther makes the activity's other person that of its entry by month, unless that has a greater one.
func (a *merging) takeOther(e entered) {
	r := &e.group.records[e.index]
	if e.day != nil || a.other <= r.other || !a.hasRoomForOther(e) {
		return
	}
	take := func() {
		r.other = a.other
		e.changed()
	}
	if !e.month.masked() {
		take()
		return
	}
	a.recount(e.month, e.totals, 1<<a.index(e, r.Moments), take)
}

// raised returns how a void up to a moment changes entries. Where they can only be done after it, nothing changes.
func (e entered) raised(until board.Moment) func(Moments) Moments {
	start := e.month.days.Start(0)
	if e.day != nil {
		start = e.month.days.Start(int(e.day.date - e.month.days.First))
	}
	return func(m Moments) Moments {
		if until < start {
			return m
		}
		return m.undone(until)
	}
}
