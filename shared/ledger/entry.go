package ledger

import "laurel/shared/board"

// Moments are what an entry keeps: the earliest and the latest moment it was
// done and the latest it was undone; 0 is none. First and Last come together.
type Moments struct {
	First, Last, Undone board.Moment
}

// done returns the moments with one more at which it was done.
func (m Moments) done(at board.Moment) Moments {
	if m.First == 0 || at < m.First {
		m.First = at
	}
	m.Last = max(m.Last, at)
	return m
}

// undone returns the moments with one more at which it was undone.
func (m Moments) undone(at board.Moment) Moments {
	m.Undone = max(m.Undone, at)
	return m
}

// Stands says whether the entry stands: it was done, and not undone at or after
// the last time.
func (m Moments) Stands() bool { return m.Last != 0 && m.Undone < m.Last }

// CountsAt returns the moment at which a standing entry counts.
func (m Moments) CountsAt() board.Moment {
	if m.Undone < m.First {
		return m.First
	}
	return m.Last
}

// earliest is the moment by which entries are ordered on a page.
func (m Moments) earliest() board.Moment {
	if m.First != 0 {
		return m.First
	}
	return m.Undone
}

// record is an entry on a page: the moments under the key of target and ref.
type record struct {
	key string
	Moments
}
