package memory

import (
	"context"
	"sync"

	"laurel/shared/core/board"
	"laurel/shared/store/view"
)

// A slot is a part of the view with a marker and a lock.
type slot struct {
	sync.RWMutex
	table      string // "": the slot has no marker, and is to be filled
	rules      string
	boards     string // those that it is whole by
	fill       string
	beat, life int64
	rolling    view.Rolling
	away       error // why it is not to be used at all: it is in another process
}

// check returns why a slot is not to be used for a table; one that is being filled is, with filling.
func (s *slot) check(table string, filling bool) error {
	switch {
	case s.away != nil:
		return s.away
	case s.table == "", s.table == table && s.fill != "" && !filling:
		return unfilled{view.ErrFilling}
	case s.table != table:
		return unfilled{view.ErrStrange}
	}
	return nil
}

// unfilled is the error of a slot that is to be filled, or is being filled.
type unfilled struct{ cause error }

// Error returns the cause.
func (u unfilled) Error() string { return u.cause.Error() }

// Unwrap returns the errors of package view that it stands for.
func (u unfilled) Unwrap() []error { return []error{view.ErrUnavailable, view.ErrFilling, u.cause} }

// slot returns a slot by its number, and the function that empties it.
func (v *View) slot(number view.Slot) (s *slot, empty func()) {
	if number == view.Articles {
		return &v.articles.slot, v.articles.empty
	}
	return &v.boards.slot, v.boards.empty
}

// Markers reads the markers of all slots: that of the boards, then that of the articles.
func (v *View) Markers(context.Context) ([]view.Marker, error) {
	markers := []view.Marker{{Slot: 0}, {Slot: view.Articles}}
	for i := range markers {
		m := &markers[i]
		s, _ := v.slot(m.Slot)
		if s.away != nil {
			return nil, s.away // so that no comparison begins
		}
		s.RLock()
		if s.table != "" {
			m.Format, m.Zone, m.Shards = view.Format, v.options.Zone, v.Shards()
			m.Table, m.Rules, m.Boards, m.Beat, m.Life, m.Fill = s.table, s.rules, s.boards, s.beat, s.life, s.fill
			m.Rolling = s.rolling
		}
		s.RUnlock()
	}
	return markers, nil
}

// Is says whether the slot that has the marker is the view's of a table, even if it is being filled.
func (v *View) Is(m view.Marker, table string) bool { return v.options.Is(m, table) }

// Clear empties a slot, and marks it as being filled by want.Fill, of the table want.Table.
func (v *View) Clear(_ context.Context, number view.Slot, want view.Marker) error {
	s, empty := v.slot(number)
	if s.away != nil {
		return s.away
	}
	s.Lock()
	defer s.Unlock()
	empty()
	s.table, s.rules, s.boards, s.fill, s.beat, s.life = want.Table, want.Rules, "", want.Fill, 0, want.Life
	s.rolling = want.Rolling
	return nil
}

// Claim says whether the slot is a table's, with a fill: no other process shows units here.
func (v *View) Claim(_ context.Context, number view.Slot, table, fill string) (bool, error) {
	return v.mark(number, table, fill, func(*slot) {}), nil
}

// Lacks says whether the slot that has the marker is not whole by the view's boards.
func (v *View) Lacks(m view.Marker) bool { return v.options.Lacks(m) }

// Advance moves a fill's chain on: false, where the step before is not there.
func (v *View) Advance(ctx context.Context, number view.Slot, from, to string) (done bool, err error) {
	err = v.options.Identify(ctx, func(table string) error {
		done = v.mark(number, table, from, func(s *slot) { s.fill = to })
		return nil
	})
	return done, err
}

// Mark says that a slot is whole, of want's rules, with its beat and life, if its fill is the one that is given.
func (v *View) Mark(_ context.Context, number view.Slot, want view.Marker, fill string) (bool, error) {
	return v.mark(number, want.Table, fill, func(s *slot) {
		if s == &v.boards.slot {
			v.boards.order()
		}
		s.fill, s.rules, s.boards = "", want.Rules, v.options.Kept
		s.beat, s.life = max(s.beat, want.Beat), max(s.life, want.Life)
	}), nil
}

// mark sets fields of a marker if its table and its fill are as expected.
func (v *View) mark(number view.Slot, table, fill string, set func(*slot)) bool {
	s, _ := v.slot(number)
	s.Lock()
	defer s.Unlock()
	if s.table != table || s.fill != fill {
		return false
	}
	set(s)
	return true
}

// SetDays changes the days of the boards that roll, if they are as expected, and removes the boards of days that it
// does not keep or that were not begun before.
func (v *View) SetDays(_ context.Context, number view.Slot, table string, was, now view.Rolling) (bool, error) {
	s, _ := v.slot(number)
	s.Lock()
	defer s.Unlock()
	if s.table != table || s.rolling != was {
		return false, nil
	}
	if s == &v.boards.slot {
		v.boards.drop(func(p board.Period) bool { return p.Window().Rolls() && now.Drops(was, p.Last()) })
	}
	s.rolling = now
	return true, nil
}

// Sweep removes the boards of periods that life says are final, and the revisions seen of such months, and writes the
// beat and Life.Number into the slots that have their marker.
func (v *View) Sweep(ctx context.Context, life *board.Life, beat int64) error {
	return v.options.Identify(ctx, func(table string) (err error) {
		for _, number := range []view.Slot{0, view.Articles} {
			s, _ := v.slot(number)
			s.Lock()
			switch {
			case s.table != table: // it is to be filled
			case s.life > life.Number():
				err = view.ErrLaterLife
			default:
				if number == view.Articles {
					v.articles.sweep(life)
				} else {
					v.boards.sweep(life, v.options.Contests)
				}
				s.life, s.beat = life.Number(), max(s.beat, beat)
			}
			s.Unlock()
		}
		return err
	})
}
