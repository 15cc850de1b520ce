package reference

import "laurel/shared/board"

// Moments are what an entry keeps: each one a minimum or a maximum, so that
// order and repetition cannot matter. 0 is a moment that is missing.
type Moments struct {
	First  board.Moment // the earliest it was done; of a metric, the earliest at which its largest value was reported
	Last   board.Moment // the latest it was done; a metric has none
	Undone board.Moment // the latest it was undone; a metric has none

	Restored board.Moment // the latest an undo was taken back; a metric has none
}

// valid returns the moments without an undo that was taken back: one that is not
// after the restore.
func (m Moments) valid() Moments {
	if m.Undone <= m.Restored {
		m.Undone = 0
	}
	m.Restored = 0
	return m
}

// stands says whether it was done, and not undone since. At an equal moment the
// undo wins. It does not apply to a metric, which cannot be undone.
func (m Moments) stands() bool {
	m = m.valid()
	done := m.Last != 0
	return done && (m.Undone == 0 || m.Undone < m.Last)
}

// countsAt returns the moment whose day gets the point of an entry that stands:
// the first time it was done, or the last time if it was undone in between.
func (m Moments) countsAt() board.Moment {
	m = m.valid()
	if m.Undone == 0 || m.Undone < m.First {
		return m.First
	}
	return m.Last
}

// and returns the moments of all that either knows of.
func (m Moments) and(other Moments) Moments {
	return Moments{
		First:  earliest(m.First, other.First),
		Last:   max(m.Last, other.Last), // a missing one is 0, below every other
		Undone: max(m.Undone, other.Undone),

		Restored: max(m.Restored, other.Restored),
	}
}

func earliest(a, b board.Moment) board.Moment {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	default:
		return min(a, b)
	}
}
