package redisview

import (
	"context"
	"slices"

	"laurel/shared/core/board"
)

// RankOf says where the views' users, who are not on the boards as they are hidden, would stand
// with packed[i] on a board and before[i] in the period before; 0 is no place. It takes one trip.
func (s *Store) RankOf(ctx context.Context, views []board.View, packed, before []board.Packed,
) (standings []board.Standing, err error) {
	err = s.identity(ctx, func(identity string) error {
		spots, read, calls := make([]*spot, len(views)), make([]answers, len(views)), []*call{}
		for i, v := range views {
			spots[i], read[i] = &spot{user: v.User, packed: packed[i], past: before[i], around: 1}, newAnswers()
			calls = append(calls, s.askAll(identity, board.View{Board: v.Board, Period: v.Period}, spots[i:i+1], &read[i])...)
		}
		if err := s.ask(ctx, "count ranks", calls...); err != nil {
			return err
		}
		standings = make([]board.Standing, len(views))
		for i, sp := range spots {
			total := read[i].total
			if sp.packed != 0 { // the place, which is not on the board, is among the others
				sp.near = slices.DeleteFunc(sp.near, func(p board.Place) bool { return p.User == sp.user })
				sp.near = append(sp.near, board.Place{Member: board.Member{User: sp.user, Packed: sp.packed}})
				total++
			}
			standing, _ := sp.stand(total, 0)
			standings[i] = *standing
		}
		return nil
	})
	return standings, err
}

// askRanks asks where the views' users are, in the trip that shows them; of one shard alone.
func (s *Store) askRanks(identity string, views []board.View) (spots []*spot, calls []*call) {
	if s.options.Shards > 1 {
		return nil, nil
	}
	for _, v := range views {
		sp, read := &spot{user: v.User, home: true}, newAnswers()
		spots, calls = append(spots, sp), append(calls, s.question(identity, 0, v, piece{}, []*spot{sp}, &read))
	}
	return spots, calls
}

// A spot is where a user is on a board and on that of the period before, as the shards that were asked know it.
type spot struct {
	user   string
	home   bool  // the user's own shard is asked, which has the scores
	around int64 // how many neighbours on each side are asked for, 0: the one before alone

	packed     board.Packed  // 0 when not on the board
	past       board.Packed  // in the period before, likewise
	before     int64         // how many are before the user
	beforeThen int64         // how many were in the period before
	near       []board.Place // around the user, or the one before alone, of each shard; not ranked
}

// take takes in a shard's reply about the user, and returns the users nearby.
func (sp *spot) take(part []any) ([]string, error) {
	for i, packed := range []*board.Packed{&sp.packed, &sp.past} {
		if text, _ := part[i].(string); text != "" {
			var err error
			if *packed, err = parsePacked(text); err != nil {
				return nil, damaged(sp.user, err)
			}
		}
	}
	before, _ := part[2].(int64)
	then, _ := part[3].(int64)
	sp.before, sp.beforeThen = sp.before+before, sp.beforeThen+then
	here, err := parsePlaces(part[4])
	sp.near = append(sp.near, here...)
	return usersOf(here), err
}

// previousRank is the user's rank in the period before, 0 for none.
func (sp *spot) previousRank() int64 {
	if sp.past == 0 {
		return 0
	}
	return sp.beforeThen + 1
}

// stand returns the user's standing when all shards were asked, with so many neighbours on each side.
func (sp *spot) stand(total, around int64) (*board.Standing, []board.Place) {
	slices.SortFunc(sp.near, board.ComparePlaces)
	i := slices.IndexFunc(sp.near, func(p board.Place) bool { return p.User == sp.user })
	if i < 0 {
		return board.OffBoard(total, sp.previousRank()), nil
	}
	for j := range sp.near {
		sp.near[j].Rank = sp.before + 1 + int64(j-i)
	}
	return board.Stand(sp.near, sp.before+1, total, sp.previousRank(), around)
}

// after returns the first places after where the user was, when all shards were asked.
func (sp *spot) after(limit int64) []board.Place {
	entry := board.Member{User: sp.user, Packed: sp.packed}
	slices.SortFunc(sp.near, board.ComparePlaces)
	rank, places := sp.before, []board.Place{}
	for _, p := range sp.near {
		switch order := board.Compare(p.Member, entry); {
		case order == 0: // the user has not moved
			rank++
		case order > 0 && int64(len(places)) < limit:
			places = append(places, board.Place{Rank: rank + int64(len(places)) + 1, Member: p.Member})
		}
	}
	return places
}
