package ledger

import (
	"cmp"
	"slices"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/board"
)

// A Decision is what a user's activities do: a receipt for each, in their order,
// and what has to be written.
type Decision struct {
	Receipts []Receipt
	Changed  []Registers // by activity; one that has changed nothing needs no row
	Voided   []Row       // entries met on targets that are void, and undone
	Changes
}

// Changes are what has to be written: all of it, or nothing.
type Changes struct {
	Pages  []Page          // that differ from what was read
	Months []board.MonthOf // whose page is new
	Scores []Move          // on live boards; none while the user is hidden
	Join   []string        // who comes onto the follow list, by id
	Leave  []string        // who leaves it
}

// Empty says whether there is nothing to write.
func (c Changes) Empty() bool { return len(c.Pages)+len(c.Scores)+len(c.Join)+len(c.Leave) == 0 }

// A Page is a page's new bytes, none if the page is removed: a follow list that knows
// nobody any more.
type Page struct {
	Key  PageKey
	Data string
}

// A Move is a user's new place on a board.
type Move struct {
	Board  string
	Period board.Period
	Packed board.Packed // 0: not on the board any more
	Was    board.Packed // what the pages had before, 0 if nothing or not known
}

// Decide applies the activities of one user, without violations, in their order to
// the pages that Needs names. closed is what takes no more writes, voids says of
// targets until when they are void. What it returns follows from its arguments alone.
// The error wraps codec.ErrDamaged or ErrFormat and names the page.
func (l *Ledger) Decide(
	pages Pages, closed *board.Closed, voids map[string]board.Moment, activities []activity.Activity, arrival Arrival,
) (Decision, error) {
	in := l.rooms.Get().(*room) //nolint:forcetypeassert // it has no others
	defer func() {
		in.reset()
		l.rooms.Put(in)
	}()
	p, err := l.openIn(in, pages, closed)
	if err != nil {
		return Decision{}, err
	}
	if p.voids = voids; len(activities) > 0 {
		p.user = activities[0].User
	}
	d := Decision{Receipts: cut(&in.receipts, len(activities)), Changed: cut(&in.changed, len(activities))}
	p.told = cut(&in.scores, 2*len(activities))[:0] // boards mostly keep two windows
	for i := range activities {
		d.Receipts[i], d.Changed[i] = p.apply(&activities[i], arrival)
	}
	d.Changes, d.Voided = p.changes(), p.voided
	return d, nil
}

// changes returns what the activities applied so far have changed, in an order
// that depends on nothing else.
func (p *openPages) changes() Changes {
	var c Changes
	c.Scores = p.moves()
	if p.totals != nil {
		p.updateTotals()
	}
	c.Pages, c.Months = p.changed()
	if p.follow != nil {
		c.Join, c.Leave = p.follow.moved()
	}
	return c
}

// moves returns the scores that differ from those remembered, by board and period;
// none of a user who is on no board.
func (p *openPages) moves() []Move {
	if p.status.Suppressed() {
		return nil
	}
	if len(p.before) == 0 {
		return nil
	}
	moves := cut(&p.room.moves, len(p.before))[:0]
	for _, was := range p.before {
		if now := p.packed(was.place); now != was.packed {
			moves = append(moves, Move{Board: was.board, Period: was.period, Packed: now, Was: was.packed})
		}
	}
	slices.SortFunc(moves, func(x, y Move) int {
		return cmp.Or(strings.Compare(x.Board, y.Board), x.Period.Compare(y.Period))
	})
	return moves
}
