package people

import (
	"cmp"
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// A Move is a place on a live board of one of two people that an act on both moves. Ranks are 0 for nobody's place, for
// a person whom the boards do not show, and on boards of teams, where the scores are the person's part of a team's sum.
type Move struct {
	User string
	board.ID
	Score, NextScore int64
	Rank, NextRank   int64
}

// A mover is one of the two, with the places before the act and after it.
type mover struct {
	id        string
	was, next side
}

// A side is places, and whether the boards show the person.
type side struct {
	shown  bool
	places map[board.ID]board.Packed
}

// side returns the places of an account; nil is nobody's.
func (s *Store) side(a *ledger.Account, head *items.Head) (side, error) {
	if a == nil {
		return side{}, nil
	}
	places, err := s.placesOf(a, head, s.today())
	return side{!a.Status.Suppressed(), places}, err
}

// better says whether a place of the person is above another person's place.
func better(id string, place board.Packed, than board.Member) bool {
	return place != 0 && board.Compare(board.Member{User: id, Packed: place}, than) < 0
}

// moves returns the places that an act moves, by the accounts of two people before it and after it.
func (s *Store) moves(ctx context.Context, head *items.Head, accounts [][2]*ledger.Account) (moves []Move, err error) {
	people := make([]mover, len(accounts))
	for i, a := range accounts {
		people[i].id = a[0].User
		if people[i].was, err = s.side(a[0], head); err != nil {
			return nil, err
		}
		if people[i].next, err = s.side(a[1], head); err != nil {
			return nil, err
		}
	}
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
	was, next := people[i].was, people[i].next
	var views []board.View
	for _, id := range sortedBoards(was.places, next.places) {
		score, then := was.places[id], next.places[id]
		if score != then || was.shown != next.shown {
			moves = append(moves, Move{User: people[i].id, ID: id, Score: score.Score(), NextScore: then.Score()})
			if !s.Ledger.Rules().OfTeams(id.Board) {
				views = append(views, board.View{Board: id.Board, Period: id.Period, User: people[i].id})
			}
		}
	}
	if len(moves) == 0 || !was.shown && !next.shown {
		return moves, nil
	}
	ranks, err := s.rank(ctx, views, was.places)
	if err != nil {
		return nil, err
	}
	nextRanks, err := s.rank(ctx, views, next.places)
	if err != nil {
		return nil, err
	}
	for n := range moves {
		id := moves[n].ID
		if was.shown && was.places[id] != 0 {
			moves[n].Rank = rankOn(ranks, id)
		}
		if then := rankOn(nextRanks, id); next.shown && next.places[id] != 0 && then > 0 {
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
	mine := board.Member{User: people[i].id, Packed: people[i].next.places[id]}
	for j, p := range people {
		if p.was.shown && better(p.id, p.was.places[id], mine) {
			ranks--
		}
		if j != i && p.next.shown && better(p.id, p.next.places[id], mine) {
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
