package ledger

import (
	"errors"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// ErrFormat is wrapped by the errors about items of a later program's format.
var ErrFormat = errors.New("ledger: item has format")

// How late and how early an activity may arrive.
const (
	MaxAge   = 48 * time.Hour  // after its moment; exactly that is included
	MaxAhead = 5 * time.Minute // of the clock
)

// Limits of a follow list.
const (
	MaxReplaced = 5_000  // users on a list that replaces another
	MaxFollows  = 10_000 // targets that a list knows of, those unfollowed included
)

// A Ledger applies activities to users' accounts by a forum's rules and calendar. It is safe for concurrent use.
type Ledger struct {
	rules    *activity.Rules
	guests   *activity.Rules // as guests see them
	calendar *board.Calendar
	tiles    bool       // boards of windows that do not roll are over several months
	longest  board.Date // the days of the longest window that rolls, 0 for none
	rooms    *sync.Pool // of *room
}

// New returns the ledger of a forum.
func New(rules *activity.Rules, calendar *board.Calendar) *Ledger {
	l := &Ledger{
		rules: rules, guests: rules.Guests(), calendar: calendar, tiles: keepsLong(rules),
		rooms: &sync.Pool{New: func() any { return new(room) }},
	}
	for _, w := range board.Windows() {
		if w.Rolls() && rules.Keeps(w) {
			l.longest = max(l.longest, w.Days())
		}
	}
	return l
}

// Rules returns the rules that the ledger scores by.
func (l *Ledger) Rules() *activity.Rules { return l.rules }

// Guests returns the rules that readers without a token see.
func (l *Ledger) Guests() *activity.Rules { return l.guests }

// Calendar returns the calendar that the ledger's days are of.
func (l *Ledger) Calendar() *board.Calendar { return l.calendar }

// KeepsLong says whether the rules have boards over several months: weeks, quarters, years, all time, contests, windows
// that roll. Scores are exact then if the account has all ledgers that are followed, and those of RollingMonths.
func (l *Ledger) KeepsLong() bool { return l.tiles || l.Rolls() }

// OnlyRolls says whether windows that roll are the only ones over several months: their boards need no other ledgers
// than those of RollingMonths.
func (l *Ledger) OnlyRolls() bool { return l.Rolls() && !l.tiles }

func keepsLong(rules *activity.Rules) bool {
	return rules.Keeps(board.Week, board.Quarter, board.Year, board.All) ||
		slices.ContainsFunc(rules.Contests(), func(c board.Period) bool { return c.First().Month() != c.Last().Month() })
}

// An Arrival says when something has arrived, and whether it may be of any age, as in an import of history.
type Arrival struct {
	Now    board.Moment
	AnyAge bool
}
