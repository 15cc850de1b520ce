package reference

import (
	"laurel/shared/activity"
	"laurel/shared/board"
)

// A Key says which entry: what a user did to one target in the day or the
// calendar month that the scope names, or a metric's largest value of a day.
type Key struct {
	User   string
	Action string // the rule's action (like), never its undo (unlike)
	Target string // "" of a metric, which is kept by day alone
	Ref    string
	Scope  activity.Scope // "" of a metric
	Day    board.Date     // when PerDay, and of a metric; else 0
	Month  board.MonthOf  // when PerMonth; else 0
	Metric bool
}

// An Entry is what is kept under a key.
type Entry struct {
	Moments
	Value int64 // a metric's largest of the day, above 0; else 0
}

// canonical clears what does not belong to the key's scope, so that one entry
// has one key whoever made it.
func (k Key) canonical() Key {
	switch {
	case k.Metric:
		return Key{User: k.User, Action: k.Action, Day: k.Day, Metric: true}
	case k.Scope == activity.PerDay:
		k.Month = 0
	default:
		k.Day = 0
	}
	return k
}

// and returns the entry that holds all that either knows of. Of two values the
// larger is kept with its moment; without values they are equal, and so is what
// is left to do: the minima and maxima of the moments.
func (e Entry) and(other Entry) Entry {
	switch {
	case e.Value > other.Value:
		return e
	case e.Value < other.Value:
		return other
	default:
		return Entry{Moments: e.Moments.and(other.Moments), Value: e.Value}
	}
}
