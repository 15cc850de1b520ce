package reference

import (
	"slices"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// A Ledger has the credits of users, and their times. It is not safe for concurrent use, not
// even for reading.
type Ledger struct {
	rules    *activity.Rules
	calendar *board.Calendar
	entries  map[Key]Entry
	voids    map[string]board.Moment // by target
	closed   func(Key) bool          // nil: nothing is
	scores   map[userDay]score       // scores of the entries; nil: not counted yet
}

// New returns a ledger without entries.
func New(rules *activity.Rules, calendar *board.Calendar) *Ledger {
	return &Ledger{rules: rules, calendar: calendar, entries: map[Key]Entry{}, voids: map[string]board.Moment{}}
}

// Add enters one accepted activity. The kind of an entry follows from the rules in force on the
// activity's own day; a word that they do not know is not entered.
func (l *Ledger) Add(a activity.Activity) {
	day := l.calendar.Date(a.At)
	rule := l.rules.On(day).Find(a.Action)
	if rule == nil {
		return
	}
	e, undone := Entry{First: a.At, Last: a.At}, a.Action == rule.Undo
	if undone {
		e = Entry{Undone: a.At}
	}
	if rule.TargetIsUser {
		l.put(Key{User: a.User, Target: a.Target}, e)
	}
	if a.Restores {
		e = Entry{Restored: a.At}
	}
	key := Key{User: a.User, Action: rule.Action, Target: a.Target, Ref: a.Ref}
	switch {
	case rule.Metric && *a.Value > 0: // else it is no entry
		l.put(Key{User: a.User, Action: rule.Action, Day: day, Metric: true}, Entry{First: a.At, Value: *a.Value})
	case rule.Metric:
	case rule.Scope(a.Ref) == activity.PerDay:
		key.Day = day
		l.put(key, e)
	default:
		key.Month = day.Month()
		l.put(key, e)
		if undone || a.Restores { // it enters the month before, too, also when nothing was done there yet
			key.Month--
			l.put(key, e)
		}
	}
}

// put adds moments to an entry's known ones.
func (l *Ledger) put(key Key, e Entry) {
	if l.closed == nil || !l.closed(key) {
		l.entries[key] = l.entries[key].And(e)
		l.scores = nil
	}
}

// Close has Add leave the entries alone for whose keys closed says so.
func (l *Ledger) Close(closed func(Key) bool) { l.closed = closed }

// Void says that a target is void up to a moment: every activity on it until then counts as
// undone at that moment. Follows do not.
func (l *Ledger) Void(target string, until board.Moment) {
	l.voids[target] = max(l.voids[target], until)
	l.scores = nil
}

// withVoid returns an entry with the undo of a void target.
func (l *Ledger) withVoid(key Key, e Entry) Entry {
	until := l.voids[key.Target]
	if rule := l.rules.On(l.calendar.Date(until)).Find(key.Action); until == 0 || rule != nil && rule.TargetIsUser {
		return e
	}
	return e.And(Entry{Undone: until})
}

// withRef returns an entry with the undos and restores by its ref alone, on any target.
func (l *Ledger) withRef(key Key, e Entry) Entry {
	if key.Ref == "" {
		return e
	}
	key.Target = ""
	return e.And(l.entries[key])
}

// Following lists whom a user follows, by id.
func (l *Ledger) Following(user string) []string {
	var on []string
	for key, e := range l.entries {
		if key.User == user && key.Action == "" && e.CountsAt() != 0 {
			on = append(on, key.Target)
		}
	}
	slices.Sort(on)
	return on
}
