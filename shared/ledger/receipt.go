package ledger

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// A Status says what an activity did, and why when it did nothing.
type Status string

// The statuses of a receipt.
const (
	Counted         Status = "counted"           // it stands and counts
	Capped          Status = "capped"            // it stands, but its day had its cap of them; or the ledger is full
	Duplicate       Status = "duplicate"         // it stood before; a metric: not above the day's largest
	Superseded      Status = "superseded"        // a later activity has already decided
	Revoked         Status = "revoked"           // an undo: what stood no longer does
	NothingToRevoke Status = "nothing_to_revoke" // an undo: nothing stood; it is kept for what may still arrive
	TooLate         Status = "too_late"          // over 48 h old, or its own day or month is closed; not kept
	TooEarly        Status = "too_early"         // over 5 minutes ahead of the clock; not kept
	Self            Status = "self"              // following oneself, or on one's own article; not kept
	Excluded        Status = "excluded"          // the user is excluded; not kept, but an undo is
	UnknownTarget   Status = "unknown_target"    // no published article, as reported by a user; not kept
	TooNew          Status = "too_new"           // the user's account is too young, or unknown; not kept
	WasErased       Status = "erased"            // the user, or who is followed, was erased since its moment; not kept
	Unavailable     Status = "unavailable"       // the user's items could not be read or written; not kept
)

// Statuses lists every status, in the order in which tables show them.
func Statuses() []Status {
	return []Status{
		Counted, Capped, Duplicate, Superseded, Revoked, NothingToRevoke, TooLate, TooEarly, Self, Excluded,
		UnknownTarget, TooNew, WasErased, Unavailable,
	}
}

// Kept says whether an activity with this status is kept, though it may change no points.
func (s Status) Kept() bool {
	switch s {
	case Counted, Capped, Duplicate, Superseded, Revoked, NothingToRevoke:
		return true
	default:
		return false
	}
}

// A Receipt is the answer to one activity.
type Receipt struct {
	Status Status
	Points int64  // what the user's month scores moved by, all together
	Board  string // the board of the action
	Day    board.Date
	Scores []Score // of that day and its longer periods after the activity, live ones only, the shortest first
}

// Unavailable returns the receipt of an activity without violations that can't be recorded
// now.
func (l *Ledger) Unavailable(a *activity.Activity) Receipt {
	day := l.calendar.Date(a.At)
	return Receipt{Status: Unavailable, Board: l.rules.On(day).Find(a.Action).Board, Day: day}
}

// A Score is what a user has in a window's period.
type Score struct {
	Window board.Window
	Score  int64
}
