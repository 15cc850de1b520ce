package view

import (
	"context"

	"laurel/shared/board"
)

// RankOf says where the views' users, who are not on the boards as they are hidden, would stand
// with packed[i] on a board and before[i] in the period before; 0 is no place. It takes one trip.
func (s *Store) RankOf(ctx context.Context, views []board.View, packed, before []board.Packed,
) (standings []board.Standing, err error) {
	err = s.identity(ctx, func(is string) error {
		spots, asked, calls := make([]*spot, len(views)), make([][]*question, len(views)), []*call{}
		for i, v := range views {
			spots[i] = &spot{user: v.User, packed: packed[i], past: before[i], around: 1}
			asked[i] = s.askAll(is, board.View{Board: v.Board, Period: v.Period}, spots[i:i+1])
			calls = append(calls, scriptsOf(asked[i])...)
		}
		s.run(ctx, calls)
		standings = make([]board.Standing, len(views))
		for i := range views {
			read := newAnswers()
			if err := read.take(asked[i]); err != nil {
				return err
			}
			standings[i] = spots[i].among(read.total)
		}
		return nil
	})
	return standings, err
}

// askRanks asks for the ranks of the views' users, in the trip that shows them.
func (s *Store) askRanks(is string, views []board.View) (questions []*question) {
	for _, v := range views {
		if s.options.Shards == 1 {
			questions = append(questions, s.ask(is, 0, v, piece{}, []*spot{{user: v.User, home: true}}))
		}
	}
	return questions
}

// takeRanks takes in the ranks, 0 for who has none, or where they could not be read.
func takeRanks(questions []*question, ranks []int64) {
	for i, q := range questions {
		read := newAnswers()
		if err := read.takeOne(q); err == nil && q.spots[0].packed != 0 {
			ranks[i] = q.spots[0].before + 1
		}
	}
}
