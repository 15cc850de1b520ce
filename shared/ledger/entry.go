package ledger

import "laurel/shared/board"

// Moments are what an entry keeps: the earliest and the latest moment it was
// done, the latest it was undone, and the latest at which an undo was taken back; 0
// is none. First and Last come together.
type Moments struct {
	First, Last, Undone, Restored board.Moment
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

// restored returns the moments with one more at which an undo was taken back.
func (m Moments) restored(at board.Moment) Moments {
	m.Restored = max(m.Restored, at)
	return m
}

// inForce returns the moment of the undo that was not taken back, 0 for none. At an
// equal moment the restore wins.
func (m Moments) inForce() board.Moment {
	if m.Undone <= m.Restored {
		return 0
	}
	return m.Undone
}

// Stands says whether the entry stands: it was done, and not undone at or after
// the last time.
func (m Moments) Stands() bool { return m.Last != 0 && m.inForce() < m.Last }

// CountsAt returns the moment at which a standing entry counts.
func (m Moments) CountsAt() board.Moment {
	if m.inForce() < m.First {
		return m.First
	}
	return m.Last
}

// earliest is the moment by which entries are ordered on a page: when it was done,
// else undone, else restored.
func (m Moments) earliest() board.Moment {
	switch {
	case m.First != 0:
		return m.First
	case m.Undone != 0:
		return m.Undone
	default:
		return m.Restored
	}
}

// record is an entry on a page: the moments under the key of target and ref.
type record struct {
	key string
	Moments
}
