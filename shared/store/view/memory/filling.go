package memory

import (
	"slices"
	"sync"

	"laurel/shared/core/board"
	"laurel/shared/store/view/memory/ranking"
)

// While a slot is being filled nothing reads the order of a board, so users alone know their places: the boards are
// made from them at once, sorted, when the slot is whole. That takes a fraction of the time of as many inserts.

// order makes the boards from their users' places, if a fill has left that to its end.
func (b *boards) order() {
	if !b.unordered {
		return
	}
	b.unordered = false
	members := make(map[*ranked][]member, len(b.live))
	for _, on := range b.live {
		members[on] = make([]member, 0, on.filled)
	}
	for _, u := range b.users {
		for _, s := range u.places {
			members[s.on] = append(members[s.on], member{s.packed, u})
		}
	}
	var sorting sync.WaitGroup
	for on, all := range members {
		sorting.Go(func() {
			slices.SortFunc(all, compareMembers)
			on.Set = ranking.Of(compareMembers, all)
		})
	}
	sorting.Wait()
}

// A known is a board's period at its place in the last unit: most units have the same boards in the same order, so a
// board is found without a search.
type known struct {
	board.ID
	on *ranked
}

// find returns a board's period, which is the nth of a unit; nil if the view does not have it.
func (b *boards) find(n int, name string, p board.Period) *ranked {
	for n >= len(b.known) {
		b.known = append(b.known, known{})
	}
	last := &b.known[n]
	if last.on == nil || last.Period != p || last.Board != name {
		*last = known{board.ID{Board: name, Period: p}, b.live[board.ID{Board: name, Period: p}]}
	}
	return last.on
}
