package ledger

import (
	"sync"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// How late and how early an activity may arrive.
const (
	MaxAge   = 48 * time.Hour  // after its moment; exactly that is included
	MaxAhead = 5 * time.Minute // of the clock
)

// A Ledger applies activities to pages by a forum's rules and calendar. It keeps
// nothing but memory to use again, and is safe for concurrent use.
type Ledger struct {
	rules    *activity.Rules
	calendar *board.Calendar
	entries  format     // of month and day pages
	rooms    *sync.Pool // of *room
}

// New returns the ledger of a forum.
func New(rules *activity.Rules, calendar *board.Calendar) *Ledger {
	rooms := &sync.Pool{New: func() any { return new(room) }}
	return &Ledger{rules: rules, calendar: calendar, entries: formatEntries, rooms: rooms}
}

// Rules returns the rules that the ledger scores by.
func (l *Ledger) Rules() *activity.Rules { return l.rules }

// Calendar returns the calendar that the ledger's days are of.
func (l *Ledger) Calendar() *board.Calendar { return l.calendar }

// An Arrival says when activities have arrived, whether they may be of any age, as in an
// import of history, and who was erased by then.
type Arrival struct {
	Now    board.Moment
	AnyAge bool
	Erased Erased
	Facts  Facts // of a user whose own token reports
}

// refuses returns the status of an activity that is not kept, and whether it is
// one, before anything that is closed is looked at.
func (v Arrival) refuses(a *activity.Activity, rule *activity.Rule) (Status, bool) {
	switch {
	case v.erases(a, rule):
		return WasErased, true
	case !v.AnyAge && v.Now-a.At > board.Moment(MaxAge.Milliseconds()):
		return TooLate, true
	case a.At-v.Now > board.Moment(MaxAhead.Milliseconds()):
		return TooEarly, true
	case rule.TargetIsUser && a.Target == a.User:
		return Self, true
	default:
		return "", false
	}
}
