package ledger

import (
	"maps"
	"slices"

	"laurel/shared/board"
)

// Scores returns everything that a user has on a board that is not closed, by
// all of the user's pages, in the order of Changes: also when the user is hidden
// or excluded, and so not on it. The error wraps codec.ErrDamaged.
func (l *Ledger) Scores(pages map[PageKey]string, closed *board.Closed) ([]Move, error) {
	pages = maps.Clone(pages)
	delete(pages, FollowsPage()) // of no consequence here, be they damaged
	delete(pages, StatusPage())
	b, err := l.Open(pages, closed)
	if err != nil {
		return nil, err
	}
	if b.totals == nil {
		b.totals = &totals{}
	}
	for _, m := range b.months {
		for i := range m.days.Days {
			for _, name := range l.rules.Boards() {
				b.place(name, m.days.First+board.Date(i))
			}
		}
	}
	for _, t := range b.totals.months { // of months whose pages are gone
		b.place(t.board, t.month.First())
	}
	return b.Changes().Scores, nil
}

// PlaceNeeds returns the pages that a user's scores in the periods follow from.
func (l *Ledger) PlaceNeeds(periods []board.Period) []PageKey {
	var keys []PageKey
	add := func(key PageKey) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, p := range periods {
		switch p.Window() {
		case board.Day, board.Week, board.Month:
			add(MonthPage(p.First().Month()))
			add(MonthPage((p.Next().First() - 1).Month()))
		default:
			add(TotalsPage())
		}
	}
	return keys
}

// Packed returns what the user has on a board in a period, on it or not; 0 for
// nothing. The pages that PlaceNeeds names are open.
func (b *Book) Packed(name string, p board.Period) board.Packed { return b.packed(place{name, p}) }

// Status returns whether the user is hidden or excluded. The status page is open.
func (b *Book) Status() UserStatus { return b.status }
