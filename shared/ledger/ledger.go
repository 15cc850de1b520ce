package ledger

import (
	"slices"
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
// nothing and is safe for concurrent use.
type Ledger struct {
	rules    *activity.Rules
	calendar *board.Calendar
}

// New returns the ledger of a forum.
func New(rules *activity.Rules, calendar *board.Calendar) *Ledger {
	return &Ledger{rules: rules, calendar: calendar}
}

// Rules returns the rules that the ledger scores by.
func (l *Ledger) Rules() *activity.Rules { return l.rules }

// Calendar returns the calendar that the ledger's days are of.
func (l *Ledger) Calendar() *board.Calendar { return l.calendar }

// An Arrival says when activities have arrived, and whether they may be of any
// age, as in an import of history.
type Arrival struct {
	Now    board.Moment
	AnyAge bool
}

// refuses returns the status of an activity that is not kept, and whether it is
// one, before anything that is closed is looked at.
func (v Arrival) refuses(a activity.Activity, rule activity.Rule) (Status, bool) {
	switch {
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

// A PageKey names one of a user's pages: a month's, a day's, the totals, the
// follow list, or the status.
type PageKey struct {
	kind byte
	n    int32
}

const (
	kindMonth = iota + 1
	kindDay
	kindTotals
	kindFollows
	kindStatus
)

// MonthPage names the page of a month.
func MonthPage(m board.MonthOf) PageKey { return PageKey{kindMonth, int32(m)} }

// DayPage names the page of a day's own entries.
func DayPage(d board.Date) PageKey { return PageKey{kindDay, int32(d)} }

// TotalsPage names the page of what every month came to.
func TotalsPage() PageKey { return PageKey{kind: kindTotals} }

// FollowsPage names the page of whom the user follows.
func FollowsPage() PageKey { return PageKey{kind: kindFollows} }

// StatusPage names the page that says whether the user is hidden or excluded.
func StatusPage() PageKey { return PageKey{kind: kindStatus} }

// ParsePageKey reads what String wrote.
func ParsePageKey(s string) (PageKey, bool) {
	for _, k := range []PageKey{TotalsPage(), FollowsPage(), StatusPage()} {
		if s == k.String() {
			return k, true
		}
	}
	if d, err := board.ParseDate(s); err == nil {
		return DayPage(d), true
	}
	if p, err := board.ParsePeriod(board.Month, s); err == nil {
		return MonthPage(p.First().Month()), true
	}
	return PageKey{}, false
}

// String is the page's name: 2026-11, 2026-11-20, totals, follows or status.
func (k PageKey) String() string {
	switch k.kind {
	case kindMonth:
		return board.MonthOf(k.n).String()
	case kindDay:
		return board.Date(k.n).String()
	case kindFollows:
		return "follows"
	case kindStatus:
		return "status"
	default:
		return "totals"
	}
}

// Needs returns the pages that the activities of one user have to be applied
// to, each once: the month's, the day's for entries by day, and for an undo the
// month before's. A board that keeps weeks needs the months next to them, one
// that keeps years or all time the totals; a follow needs the follow list, and
// everything the status.
func (l *Ledger) Needs(activities []activity.Activity, arrival Arrival) []PageKey {
	needs := pageSet{keys: make([]PageKey, 0, 4), months: make([]board.MonthOf, 0, 2)}
	for _, a := range activities {
		day := l.calendar.Date(a.At)
		rule, ok := l.rules.On(day).Rule(a.Action)
		if !ok {
			continue
		}
		if _, refused := arrival.refuses(a, rule); refused {
			continue
		}
		month := day.Month()
		needs.month(month)
		switch {
		case rule.Metric:
		case rule.Scope(a.Ref) == activity.PerDay:
			needs.add(DayPage(day))
		case a.Action == rule.Undo:
			needs.month(month - 1)
		}
		if rule.TargetIsUser {
			needs.add(FollowsPage())
		}
	}
	if len(needs.keys) == 0 {
		return nil
	}
	if l.rules.Keeps(board.Week) {
		for _, m := range needs.months {
			needs.add(MonthPage(m - 1))
			needs.add(MonthPage(m + 1))
		}
	}
	if l.rules.Keeps(board.Year, board.All) {
		needs.add(TotalsPage())
	}
	needs.add(StatusPage())
	return needs.keys
}

// pageSet gathers keys without repeats; a batch rarely has more than a few.
type pageSet struct {
	keys   []PageKey
	months []board.MonthOf // those asked for by name
}

func (s *pageSet) month(m board.MonthOf) {
	if s.add(MonthPage(m)) {
		s.months = append(s.months, m)
	}
}

func (s *pageSet) add(k PageKey) bool {
	if slices.Contains(s.keys, k) {
		return false
	}
	s.keys = append(s.keys, k)
	return true
}
