package people

import (
	"cmp"
	"context"
	"slices"

	"laurel/shared/core/board"
)

// A Move is a place on a live board of one of two people that an act on both moves. Ranks are 0 for nobody's place, for
// a person whom the boards do not show, and on boards of teams, where the scores are the person's part of a team's sum.
type Move struct {
	User string
	board.ID
	Score, NextScore int64
	Rank, NextRank   int64
}

// A mover is one of the two, with the places now and then, and whether the boards show the person.
type mover struct {
	id               string
	shown, nextShown bool
	was, next        map[board.ID]board.Packed
}

// better says whether a place of the person is above another person's place.
func better(id string, place board.Packed, than board.Member) bool {
	return place != 0 && board.Compare(board.Member{User: id, Packed: place}, than) < 0
}

// movesOfAll returns the places of two people that move.
func (s *Store) movesOfAll(ctx context.Context, people []mover) (moves []Move, err error) {
	for i := range people {
		some, err := s.movesOf(ctx, people, i)
		if err != nil {
			return nil, err
		}
		moves = append(moves, some...)
	}
	return moves, nil
}

// movesOf returns the places of one of two people that move. The ranks are those of the view, which has both as they
// were.
func (s *Store) movesOf(ctx context.Context, people []mover, i int) (moves []Move, err error) {
	p := people[i]
	var views []board.View
	for _, id := range sortedBoards(p.was, p.next) {
		if p.was[id] != p.next[id] || p.shown != p.nextShown {
			moves = append(moves, Move{User: p.id, ID: id, Score: p.was[id].Score(), NextScore: p.next[id].Score()})
			if !s.Ledger.Rules().OfTeams(id.Board) {
				views = append(views, board.View{Board: id.Board, Period: id.Period, User: p.id})
			}
		}
	}
	if len(moves) == 0 || !p.shown && !p.nextShown {
		return moves, nil
	}
	was, err := s.rank(ctx, views, p.was)
	if err != nil {
		return nil, err
	}
	next, err := s.rank(ctx, views, p.next)
	if err != nil {
		return nil, err
	}
	for n := range moves {
		id := moves[n].ID
		if now := rankOn(was, id); p.was[id] != 0 && p.shown {
			moves[n].Rank = now
		}
		if then := rankOn(next, id); p.next[id] != 0 && p.nextShown && then > 0 {
			moves[n].NextRank = then + shift(people, i, id)
		}
	}
	return moves, nil
}

// rankOn returns the rank among standings that is on a board, 0 of a board that is not whole.
func rankOn(standings []OwnStanding, id board.ID) int64 {
	for _, s := range standings {
		if s.ID == id {
			return s.Rank
		}
	}
	return 0
}

// shift returns how many ranks the next place of a person is below that among the places as they were.
func shift(people []mover, i int, id board.ID) (ranks int64) {
	mine := board.Member{User: people[i].id, Packed: people[i].next[id]}
	for j, p := range people {
		if p.shown && better(p.id, p.was[id], mine) {
			ranks--
		}
		if j != i && p.nextShown && better(p.id, p.next[id], mine) {
			ranks++
		}
	}
	return ranks
}

// sortedBoards returns the boards of places, in order.
func sortedBoards(all ...map[board.ID]board.Packed) (ids []board.ID) {
	for _, places := range all {
		for id := range places {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b board.ID) int {
		return cmp.Or(cmp.Compare(a.Board, b.Board), cmp.Compare(a.Period.Window(), b.Period.Window()),
			a.Period.Compare(b.Period))
	})
	return ids
}
