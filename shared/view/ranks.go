package view

import (
	"context"
	"slices"

	"laurel/shared/board"
)

// RankOf says where the views' users, who are not on the boards as they are hidden, would stand
// with packed[i] on a board and before[i] in the period before; 0 is no place. It takes one trip.
func (s *Store) RankOf(ctx context.Context, views []board.View, packed, before []board.Packed,
) (standings []board.Standing, err error) {
	err = s.identity(ctx, func(is string) error {
		calls, totals := make([][]*aroundCall, len(views)), make([][]*call, len(views))
		spots, all := make([]*spot, len(views)), []*call{}
		for i, v := range views {
			spots[i] = &spot{user: v.User, packed: packed[i], past: before[i]}
			of := board.View{Board: v.Board, Period: v.Period}
			calls[i] = s.askAround(is, of, 1, spots[i])
			for shard := range s.options.Shards {
				if len(calls[i]) == 0 { // nothing is to be counted but who is on the board
					totals[i] = append(totals[i], s.pieceCall(is, shard, of, "", 0, 0, 0, false, "-"))
				}
			}
			all = append(append(all, scriptsOf(calls[i])...), totals[i]...)
		}
		s.run(ctx, all)
		standings = make([]board.Standing, len(views))
		for i := range views {
			read := around{names: map[string]string{}, past: map[string]board.Packed{}}
			for _, c := range calls[i] {
				if err := takeAround(c, &read); err != nil {
					return err
				}
			}
			for _, c := range totals[i] {
				piece, err := parsePiece(c, 0)
				if err != nil {
					return err
				}
				read.total += piece.total
			}
			standings[i] = spots[i].among(read.total)
		}
		return nil
	})
	return standings, err
}

// among is the standing that a place which is not on the board would have.
func (sp *spot) among(total int64) board.Standing {
	if sp.packed == 0 {
		return *board.OffBoard(total, sp.previousRank())
	}
	near := slices.DeleteFunc(sp.near, func(p board.Place) bool { return p.User == sp.user })
	near = append(near, board.Place{Entry: board.Entry{User: sp.user, Packed: sp.packed}})
	slices.SortFunc(near, board.ComparePlaces)
	at := slices.IndexFunc(near, func(p board.Place) bool { return p.User == sp.user })
	for i := range near {
		near[i].Rank = sp.before + 1 + int64(i-at)
	}
	standing, _ := board.Stand(near, sp.before+1, total+1, sp.previousRank(), 0)
	return *standing
}

// rankCalls ask for the ranks of the views' users, in the trip that shows them.
func (s *Store) rankCalls(is string, views []board.View) []*call {
	if s.options.Shards > 1 {
		return nil
	}
	calls := make([]*call, len(views))
	for i, v := range views {
		calls[i] = s.pieceCall(is, 0, v, v.User, 0, 0, 0, false, "-")
	}
	return calls
}

// takeRanks takes in the ranks, 0 for who has none, or where they could not be read.
func takeRanks(calls []*call, ranks []int64) {
	for i, c := range calls {
		if piece, err := parsePiece(c, 0); err == nil {
			ranks[i] = piece.place + 1
		}
	}
}
