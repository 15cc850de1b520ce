package memory

import (
	"context"
	"iter"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
)

// Users reads users as the view has them, with their scores on the boards of some places.
func (v *View) Users(ctx context.Context, users []string, places [][]ledger.Shown) (all []view.User, err error) {
	err = v.read(ctx, &v.boards.slot, true, func() {
		all = make([]view.User, len(users))
		for i, id := range users {
			u := v.boards.users[id]
			if u != nil {
				all[i].Name, all[i].Suppressed = u.name, u.suppressed
			}
			for _, p := range places[i] {
				all[i].Packed = append(all[i].Packed, u.packed(v.boards.on(p.Board, p.Period)))
			}
		}
	})
	return all, err
}

const chunkLen = 2_000 // places that are read at one moment when a whole board is

// Members goes over a whole live board, a chunk at a moment. A user who moves meanwhile may be met twice, or not.
func (v *View) Members(ctx context.Context, name string, p board.Period) iter.Seq2[board.Member, error] {
	return func(yield func(board.Member, error) bool) {
		for start, more := int64(0), true; more; start += chunkLen {
			var chunk []board.Place
			err := v.read(ctx, &v.boards.slot, true, func() { chunk = v.boards.on(name, p).places(start, chunkLen) })
			if err != nil {
				yield(board.Member{}, err)
				return
			}
			for _, place := range chunk {
				if !yield(place.Member, nil) {
					return
				}
			}
			more = len(chunk) == chunkLen
		}
	}
}

// Seen reads the revisions of people and of each month's ledgers in one bucket.
func (v *View) Seen(ctx context.Context, months []board.MonthOf, bucket int,
) (people view.Seen, ledgers map[board.MonthOf]view.Seen, err error) {
	err = v.read(ctx, &v.boards.slot, true, func() {
		people, ledgers = v.boards.people.in(bucket), map[board.MonthOf]view.Seen{}
		for _, m := range months {
			ledgers[m] = v.boards.months[m].in(bucket)
		}
	})
	return people, ledgers, err
}
