package reference

import "laurel/shared/core/board"

// A Key names an entry: a user's activities on one target in a day or a calendar month, a
// metric's largest value of a day, or a user on the user's follow list.
type Key struct {
	User   string
	Action string // the rule's action (like), never its undo (unlike); "" of the follow list
	Target string // "" of a metric, which is kept by day alone, and of an undo or a restore by a ref alone
	Ref    string
	Other  string        // the other person, where the rule has one entry for each; else ""
	Day    board.Date    // of an entry by day, and of a metric; else 0
	Month  board.MonthOf // of an entry by month; else 0
	Metric bool
}

// An Entry is the value of a key: moments, each a minimum or a maximum, so that order and
// repetition cannot matter. 0 is a moment that is missing.
type Entry struct {
	First    board.Moment // the earliest it was done; of a metric, the earliest at which its largest value was reported
	Last     board.Moment // the latest it was done; a metric has none, and none of the others
	Undone   board.Moment // the latest it was undone
	Restored board.Moment // the latest an undo was taken back
	Value    int64        // a metric's largest of the day, above 0; else 0
	Other    uint64       // the greatest hash of other persons, of an entry by month; 0: none
}

// And returns the entry that holds all that either knows of. Of two values the larger is kept with
// its moment.
func (e Entry) And(other Entry) Entry {
	switch {
	case e.Value > other.Value:
		return e
	case e.Value < other.Value:
		return other
	}
	first := min(e.First, other.First)
	if first == 0 {
		first = max(e.First, other.First)
	}
	return Entry{
		First: first, Last: max(e.Last, other.Last), Undone: max(e.Undone, other.Undone),
		Restored: max(e.Restored, other.Restored), Value: e.Value, Other: max(e.Other, other.Other),
	}
}

// CountsAt returns the moment whose day gets the point: the first time it was done, or the last time if it was undone
// in between; 0 of an entry that does not stand: it was never done, or undone since. A restore takes back an undo that
// is not after it. At an equal moment the undo wins.
func (e Entry) CountsAt() board.Moment {
	if e.Undone <= e.Restored {
		e.Undone = 0
	}
	switch {
	case e.Undone >= e.Last:
		return 0
	case e.Undone < e.First:
		return e.First
	default:
		return e.Last
	}
}
