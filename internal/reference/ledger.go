package reference

import (
	"crypto/sha256"
	"encoding/binary"
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
	awards   map[AwardKey]Award
	people   map[string]Person
	voids    map[string]board.Moment // by target
	closed   func(Key) bool          // nil: nothing is
	hash     func(string) uint64     // of persons
	pairs    map[[2]string]bool      // void ones, in both orders
	merged   map[string]string       // users into others
	scores   map[userDay]score       // scores of the entries; nil: not counted yet
}

// New returns a ledger without entries.
func New(rules *activity.Rules, calendar *board.Calendar) *Ledger {
	return &Ledger{
		rules: rules, calendar: calendar, entries: map[Key]Entry{}, awards: map[AwardKey]Award{},
		people: map[string]Person{}, merged: map[string]string{}, voids: map[string]board.Moment{},
		pairs: map[[2]string]bool{}, hash: func(id string) uint64 {
			sum := sha256.Sum256([]byte(id))
			return binary.BigEndian.Uint64(sum[:8])
		},
	}
}

// HashBy sets the hash that tells the greatest. Without it, it is that of SHA-256.
func (l *Ledger) HashBy(hash func(string) uint64) { l.hash = hash }

// VoidPair says whether entries by month that one of two persons has with the other count for nothing.
func (l *Ledger) VoidPair(a, b string, void bool) {
	l.pairs[[2]string{a, b}], l.pairs[[2]string{b, a}] = void, void
	l.scores = nil
}

// Merge makes a user another one, who has done all of both, but for follows of oneself. Rules with notOwn are not
// modelled.
func (l *Ledger) Merge(old, into string) {
	l.merged[old], l.scores = into, nil
	for key, e := range l.entries {
		if key.User == old {
			delete(l.entries, key)
			key.User = into
			l.entries[key] = l.entries[key].And(e)
		}
		rule := l.rules.On(key.Month.First()).Find(key.Action)
		if key.User == into && rule != nil && rule.TargetIsUser && (key.Target == old || key.Target == into) {
			delete(l.entries, key)
		}
	}
	for key, a := range l.awards {
		if key.User == old {
			delete(l.awards, key)
			key.User = into
			l.awards[key] = a
		}
	}
}

// isVoid says whether an entry is by month and of a void pair.
func (l *Ledger) isVoid(key Key, e Entry) bool {
	rule := l.rules.On(key.Month.First()).Find(key.Action)
	for pair, void := range l.pairs {
		if !void || pair[0] != key.User || key.Month == 0 || rule == nil {
			continue
		}
		switch {
		case rule.TargetIsUser && key.Target == pair[1], rule.ByOther && key.Other == pair[1],
			!rule.TargetIsUser && !rule.ByOther && e.Other == l.hash(pair[1]):
			return true
		}
	}
	return false
}

// Add enters one accepted activity. The kind of an entry follows from the rules in force on the
// activity's own day; a word that they do not know is not entered.
func (l *Ledger) Add(a activity.Activity) {
	day := l.calendar.Date(a.At)
	if into, merged := l.merged[a.User]; merged {
		a.User = into
	}
	if a.Award != nil {
		l.award(a)
		return
	}
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
	switch byRef := a.Target == "" && a.Ref != ""; {
	case a.Other == "" || byRef || rule.TargetIsUser || rule.Scope(a.Ref) != activity.PerMonth:
	case rule.ByOther:
		key.Other = a.Other
	default:
		e.Other = l.hash(a.Other)
	}
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
	key.Target, key.Other = "", ""
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
