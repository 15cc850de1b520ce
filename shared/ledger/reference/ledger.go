package reference

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// A Ledger is what users have been credited with, and when. It is not safe for
// concurrent use, not even for reading.
type Ledger struct {
	rules    *activity.Rules
	calendar *board.Calendar
	entries  map[string]map[Key]Entry
	days     map[string]days // what follows from a user's entries, until they change
	follows  map[string]map[string]Moments
	voids    map[string]board.Moment // by target
	closed   func(Key) bool          // nil: nothing is
}

// New returns a ledger without entries.
func New(rules *activity.Rules, calendar *board.Calendar) *Ledger {
	return &Ledger{
		rules:    rules,
		calendar: calendar,
		entries:  map[string]map[Key]Entry{},
		days:     map[string]days{},
		follows:  map[string]map[string]Moments{},
		voids:    map[string]board.Moment{},
	}
}

// Add enters one accepted activity. What an entry is follows from the rules in
// force on the activity's own day; a word that they do not know is not entered.
func (l *Ledger) Add(a activity.Activity) {
	day := l.calendar.Date(a.At)
	rule, known := l.rules.On(day).Rule(a.Action)
	if !known {
		return
	}
	if rule.TargetIsUser {
		l.follow(a.User, a.Target, a.At, a.Action == rule.Undo)
	}
	key := Key{
		User: a.User, Action: rule.Action, Target: a.Target, Ref: a.Ref,
		Scope: rule.Scope(a.Ref), Day: day, Month: day.Month(), Metric: rule.Metric,
	}
	switch {
	case rule.Metric:
		l.put(key, Moments{First: a.At}, *a.Value)
	case a.Action == rule.Undo:
		l.enterBoth(key, Moments{Undone: a.At})
	case a.Restores:
		l.enterBoth(key, Moments{Restored: a.At})
	default:
		l.put(key, Moments{First: a.At, Last: a.At}, 0)
	}
}

// enterBoth enters an undo or a restore in the entry of its own month and that of
// the month before, also when nothing was done there yet; of an entry by day, in that
// of its own day.
func (l *Ledger) enterBoth(key Key, m Moments) {
	l.put(key, m, 0)
	if key.Scope == activity.PerMonth {
		key.Month--
		l.put(key, m, 0)
	}
}

// Void says that a target is void up to a moment: whatever was done to it until then
// counts as undone at that moment. Follows are not of it.
func (l *Ledger) Void(target string, until board.Moment) {
	l.voids[target] = max(l.voids[target], until)
	clear(l.days)
}

// withVoid returns an entry's moments with the undo of a void target.
func (l *Ledger) withVoid(key Key, m Moments) Moments {
	until := l.voids[key.Target]
	if rule, known := l.rules.On(l.calendar.Date(until)).Rule(key.Action); until == 0 || (known && rule.TargetIsUser) {
		return m
	}
	return m.and(Moments{Undone: until})
}

// Close has put leave the entries alone for whose keys closed says so, which then has both
// the day and the month of a key that Add enters.
func (l *Ledger) Close(closed func(Key) bool) { l.closed = closed }

// put enters what is known of an entry, beside what is known of it already: the
// moments, and of a metric its value of the day and in First when that was
// first reported. A metric's 0 is no entry.
func (l *Ledger) put(key Key, m Moments, value int64) {
	var e Entry
	switch {
	case !key.Metric:
		e = Entry{Moments: m}
	case value > 0:
		e = Entry{Moments: Moments{First: m.First}, Value: value}
	default:
		return
	}
	if l.closed != nil && l.closed(key) {
		return
	}
	key = key.canonical()
	if l.entries[key.User] == nil {
		l.entries[key.User] = map[Key]Entry{}
	}
	l.entries[key.User][key] = l.entries[key.User][key].and(e)
	delete(l.days, key.User)
}
