package view

import "laurel/shared/core/board"

// Days are civil days from one to another, both included; the zero value has none.
type Days struct{ First, Last board.Date }

// And returns the days from the first of both to the last of both.
func (d Days) And(other Days) Days {
	switch {
	case d == Days{}:
		return other
	case other == Days{}:
		return d
	}
	return Days{min(d.First, other.First), max(d.Last, other.Last)}
}

// Has says whether a day is among the days.
func (d Days) Has(day board.Date) bool { return d.First <= day && day <= d.Last }

// Rolling are the last days of the rolling periods that a slot has boards of, the same for all of its boards. The zero
// value is of a slot that has none.
type Rolling struct {
	Oldest board.Date // that is kept
	Begun  board.Date // the newest: units are shown up to it
	Whole  board.Date // the newest on whose boards everybody is
	Pass   string     // how far the chain is of the pass that makes the newest whole; "" for none
}

// Days returns those that the slot keeps.
func (r Rolling) Days() Days { return Days{r.Oldest, r.Begun} }

// Short says whether the days of a unit do not reach from the oldest that the slot keeps to the newest.
func (r Rolling) Short(d Days) bool {
	return r != (Rolling{}) && d != (Days{}) && (d.First > r.Oldest || d.Last < r.Begun)
}

// Drops says whether the boards of a day go when others become these.
func (r Rolling) Drops(was Rolling, day board.Date) bool {
	return day < r.Oldest || day > r.Begun || day > was.Begun
}

// Answer returns the period by which a view is answered, and whether there is one: the view's own, or of a window that
// rolls the newest whole one up to that, the one of the day before at the earliest.
func (r Rolling) Answer(v *board.View) (board.Period, bool) {
	if !v.Period.Window().Rolls() {
		return v.Period, true
	}
	wanted := v.Period.Last()
	day := min(wanted, r.Whole)
	ok := r.Oldest <= day && (day == wanted || day == wanted-1 && !v.Exact)
	return board.PeriodOf(v.Period.Window(), day), ok && r.Oldest > 0
}
