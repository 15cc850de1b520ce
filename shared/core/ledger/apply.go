package ledger

import (
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/codec"
)

// applying is one activity on its way into the pages, and its receipt.
type applying struct {
	*openPages
	rule   *activity.Rule
	scope  activity.Scope
	date   board.Date // its own day
	moment board.Moment
	key    string
	byRef  string // the key of the register of the activity's ref, "" without a ref; that of an undo by ref alone is key

	formerly []string // of a follow: the keys of people who were merged into its target

	void  board.Moment     // until when its target is void, 0 for never
	other codec.PersonHash // the other person, if its entry keeps one beside its key

	status Status
	points int64
	day    board.Date // the receipt's
}

// apply applies the activity; everything it does is a minimum or a maximum.
func (a *applying) apply(act *activity.Activity) {
	undone := act.Action == a.rule.Undo
	if !a.rule.Metric {
		a.key = a.keyOf(act)
		if act.Ref != "" {
			a.byRef = string(codec.EntryKey{Ref: act.Ref}.Append(nil))
		}
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
	// At any status: the list has rules of its own.
	if a.rule.TargetIsUser {
		a.follows = append(a.follows, FollowChange{act.Target, act.At, undone})
	}
}

// keyOf returns the key of an activity's entry.
func (a *applying) keyOf(act *activity.Activity) string {
	key := codec.EntryKey{Target: act.Target, Ref: act.Ref}
	switch {
	case a.rule.TargetIsUser:
		key = codec.EntryKey{Person: a.known.PersonOf(act.Target), Ref: act.Ref}
		for _, person := range a.known.Merged[act.Target] {
			if person != key.Person {
				a.formerly = append(a.formerly, string(codec.EntryKey{Person: person, Ref: act.Ref}.Append(nil)))
			}
		}
	case a.rule.ByOther:
		key.Other, a.other = a.other, 0
	}
	return string(key.Append(nil))
}

// own returns the month of the activity.
func (a *applying) own() *month { return a.month(a.date.Month()) }

// do merges that the target was done.
func (a *applying) do() {
	m := a.own()
	e, ok := a.enter(m)
	if !ok {
		a.status = Capped
		return
	}
	old := e.moments()
	now := old.done(a.moment)
	full := a.full(e, now)
	a.become(&e, now)
	switch {
	case e.void():
		a.status = Voided
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

// An effect is the change that an undo or a restore makes to one of the entries that it enters.
type effect struct {
	old, now Moments
	full     bool // the day on which it counts now has its cap of others
	void     bool // it is of a void pair
	day      board.Date
}

func (e effect) stands() bool { return e.now.Stands() }
func (e effect) fell() bool   { return e.old.Stands() && !e.now.Stands() }
func (e effect) rose() bool   { return !e.old.Stands() && e.now.Stands() }
func (e effect) counts() bool { return e.rose() && !e.full && !e.void }
func (e effect) isVoid() bool { return e.void }

// effects are those on all entries: those of the activity's own month first, then those of the month before.
type effects []effect

func (all effects) any(matches func(effect) bool) bool { return slices.ContainsFunc(all, matches) }

// enterAll merges an undo or a restore into the entries that it enters: of its own month, and for entries by month of
// the one before, if that is not closed. By a ref alone it enters the register of the ref, and all entries with that
// ref. An unfollow enters the entries of all keys of the person. It chooses the receipt's day. refused says that the
// limits left no room for a new entry.
func (a *applying) enterAll(with func(Moments, board.Moment) Moments) (all effects, refused bool) {
	months := []*month{a.own()}
	if before := a.date.Month() - 1; a.scope == activity.PerMonth && !a.monthClosed(before) {
		months = append(months, a.month(before))
	}
	change := func(m Moments) Moments { return with(m, a.moment) }
	own := a.key
	for _, m := range months {
		for _, a.key = range append([]string{own}, a.formerly...) {
			some, entered := a.enterOne(m, change)
			all, refused = append(all, some...), refused || !entered
		}
	}
	a.key = own
	if a.byRef == a.key {
		a.day = all.dayDoneLast(a.date)
	} else {
		a.day = all.dayOfChange()
	}
	return all, refused
}

// enterOne is enterAll for one month and one key; entered is false if the limits left no room for a new entry.
func (a *applying) enterOne(m *month, change func(Moments) Moments) (all effects, entered bool) {
	e, ok := a.enter(m)
	switch {
	case ok:
		all = append(all, a.effect(e, change(e.moments())))
		a.become(&e, change(e.moments()))
	case a.byRef != a.key:
		all = append(all, effect{day: a.date})
	}
	if a.byRef == a.key {
		all = append(all, a.becomeAll(e, a.hasRef, change)...)
	}
	return all, ok
}

// hasRef says whether a key has the activity's ref and a target.
func (a *applying) hasRef(key string) bool { return key != a.byRef && codec.SameRef(key, a.byRef) }

// effect returns the effect of new moments on an entry.
func (a *applying) effect(e entered, now Moments) effect {
	return effect{e.moments(), now, a.full(e, now), e.void(), e.month.dateOf(now, a.date)}
}

// dayOfChange returns the day of the first entry that fell or rose, else of the first that stands, else the own
// month's.
func (all effects) dayOfChange() board.Date {
	for _, matches := range []func(effect) bool{
		func(e effect) bool { return e.fell() || e.rose() }, effect.stands,
	} {
		if i := slices.IndexFunc(all, matches); i >= 0 {
			return all[i].day
		}
	}
	return all[0].day
}

// dayDoneLast returns the day of the entry that was done last, the activity's own if none was.
func (all effects) dayDoneLast(own board.Date) board.Date {
	last := effect{day: own}
	for _, e := range all {
		if e.now.Last > last.now.Last {
			last = e
		}
	}
	return last.day
}

// undo merges that the target was undone.
func (a *applying) undo() {
	all, refused := a.enterAll(Moments.undone)
	switch {
	case all.any(effect.fell):
		a.status = Revoked
	case all.any(effect.stands):
		a.status = Superseded
	case refused:
		a.status = Capped
	default:
		a.status = NothingToRevoke
	}
}

// restore merges that the last undo was taken back.
func (a *applying) restore() {
	all, refused := a.enterAll(Moments.restored)
	switch {
	case all.any(effect.counts):
		a.status = Counted
	case all.any(effect.isVoid):
		a.status = Voided
	case all.any(effect.rose):
		a.status = Capped
	case all.any(effect.stands):
		a.status = Duplicate
	case refused:
		a.status = Capped
	default:
		a.status = Superseded
	}
}

// report merges a metric's value. A value of 0 is as good as none.
func (a *applying) report(value int64) {
	a.status = Duplicate
	m := a.own()
	t := m.action(a.rule.Action)
	day := int(a.date - m.days.First)
	known := t.summary(day)
	switch {
	case known == nil && value == 0, known != nil && value < known.n:
		return
	case known != nil && value == known.n && a.moment >= known.moments[0]:
		return
	case known == nil || value > known.n:
		a.status = Counted
	}
	a.recount(m, t, 1<<day, func() {
		t.setSummary(daySummary{day: day, n: value, moments: []board.Moment{a.moment}})
		m.dirty = true
	})
}

// become gives an entry its new moments. Where the entry is kept moves with them.
func (a *applying) become(e *entered, now Moments) {
	old := e.moments()
	if old == now {
		return
	}
	a.recount(e.month, e.totals, 1<<a.index(*e, old)|1<<a.index(*e, now), func() {
		e.group.records[e.index].Moments = now
		e.index = e.group.reorder(e.index)
		e.changed()
	})
}

// becomeAll gives the entries of a group new moments whose keys are chosen, and returns the effect on each. It
// counts the days once: one id may have had thousands of entries.
func (a *applying) becomeAll(
	e entered, chosen func(key string) bool, with func(Moments) Moments,
) (all effects) {
	records, days := e.group.records, uint32(0)
	for e.index = range records {
		if !chosen(records[e.index].key) {
			continue
		}
		old, now := e.moments(), with(e.moments())
		if all = append(all, a.effect(e, now)); now != old {
			days |= 1<<a.index(e, old) | 1<<a.index(e, now)
		}
	}
	if days == 0 {
		return all
	}
	a.recount(e.month, e.totals, days, func() {
		for i := range records {
			if chosen(records[i].key) {
				records[i].Moments = with(records[i].Moments)
			}
		}
		slices.SortFunc(records, func(x, y record) int { return compareRecords(&x, &y) })
		e.changed()
	})
	return all
}

// recount makes a change to the counts of an action on days, given as bits, counts these again, and adds the
// change of the month's scores to the receipt's points.
func (a *applying) recount(m *month, t *actionTotals, days uint32, change func()) {
	var homes []string // one, if rules do not move the action to another
	for day := range m.days.Days {
		if days&(1<<day) == 0 {
			continue
		}
		rule := m.rule(t, day)
		for _, w := range rule.Weights() {
			a.touch(w.Board, m.days.First+board.Date(day))
		}
		if rule.Board != "" && !slices.Contains(homes, rule.Board) {
			homes = append(homes, rule.Board)
		}
	}
	move := func(sign int64) {
		for _, name := range homes {
			score, _ := m.sum(name)
			a.points += sign * score
		}
	}
	move(-1)
	change()
	m.count(t, days)
	move(1)
}

// full says whether the day that an entry counts on with its new moments has its cap of others.
func (a *applying) full(e entered, now Moments) bool {
	day := a.index(e, now)
	limit := e.month.rule(e.totals, day).Cap
	return limit > 0 && e.totals.counts[day].n >= int64(limit)
}

// index returns the day of the month that an entry counts on; while it does not stand, the activity's own, or
// the nearest if that is in another month, which is counted again for nothing.
func (a *applying) index(e entered, moments Moments) int {
	switch {
	case e.day != nil:
		return int(e.day.date - e.month.days.First)
	case moments.Stands():
		return e.month.days.Index(moments.CountsAt())
	default:
		return e.month.days.Index(a.moment)
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
