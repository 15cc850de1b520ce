package ledger

import "laurel/shared/core/board"

// room is memory for the open pages of one user, which those of the next take again. A zero
// room is ready for use. Nothing that Decide returns is in the memory that is taken again.
type room struct {
	open      openPages
	months    slab[month]
	days      slab[day]
	totals    slab[actionTotals]
	groups    slab[group]
	records   slab[record]
	summaries slab[daySummary]
	moments   slab[board.Moment]
	page      []byte // the one that is encoded
}

// reset takes everything back.
func (r *room) reset() {
	r.open = openPages{}
	r.months.reset()
	r.days.reset()
	r.totals.reset()
	r.groups.reset()
	r.records.reset()
	r.summaries.reset()
	r.moments.reset()
}

// A slab gives out pieces of memory until it is reset.
type slab[T any] struct {
	all  []T
	used int
}

// take returns n zero values, with room for no more. Values given out before stay in place.
func (s *slab[T]) take(n int) []T {
	if s.used+n > len(s.all) {
		s.all, s.used = make([]T, max(n, 2*len(s.all))), 0
	}
	piece := s.all[s.used : s.used+n : s.used+n]
	s.used += n
	return piece
}

func (s *slab[T]) one() *T { return &s.take(1)[0] }

func (s *slab[T]) reset() {
	clear(s.all[:s.used])
	s.used = 0
}
