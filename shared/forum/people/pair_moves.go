package people

import (
	"cmp"
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/store/items"
)

// A PairMove is a place on a live board of one of two people that moves if their pair becomes void, or is lifted. Ranks
// are 0 for nobody's place, for a person whom the boards do not show, and on boards of teams, where the scores are the
// person's part of a team's sum.
type PairMove struct {
	User string
	board.ID
	Score, NextScore int64
	Rank, NextRank   int64
}

// A pairPerson is one of the two, with the places now and then.
type pairPerson struct {
	id        string
	shown     bool
	was, next map[board.ID]board.Packed
}

// better says whether a place of the person is above another person's place.
func better(id string, place board.Packed, than board.Member) bool {
	return place != 0 && board.Compare(board.Member{User: id, Packed: place}, than) < 0
}

// PairMoves returns the places that would move, by person and board, and changes nothing. The error wraps ErrSelf, or
// ErrNoPair if there is nothing to lift.
func (s *Store) PairMoves(ctx context.Context, user, other string, void bool) (moves []PairMove, err error) {
	if user == other {
		return nil, ErrSelf
	}
	head, accounts, err := s.pairAccounts(ctx, user, other, s.readMonths)
	if err == nil && accounts[0].Key == accounts[1].Key {
		err = ErrSelf
	}
	if err != nil {
		return nil, err
	}
	if _, isVoid := pairOf(accounts); !isVoid && !void {
		return nil, ErrNoPair
	}
	people := make([]pairPerson, len(accounts))
	for i, account := range accounts {
		if people[i], err = s.pairPerson(account, head, accounts[1-i].Keys(), void); err != nil {
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

// pairPerson returns the places of an account, and those with another person void or not.
func (s *Store) pairPerson(account *items.Account, head *items.Head, other []items.Key, void bool) (
	person pairPerson, err error,
) {
	a, err := account.Counting(s.readMonths(head)...)
	if err != nil {
		return person, err
	}
	person.id, person.shown = account.ID, !a.Status.Suppressed()
	if person.was, err = s.placesOf(a, head, s.today()); err != nil {
		return person, err
	}
	next := *a
	next.VoidWith = slices.DeleteFunc(slices.Clone(a.VoidWith), func(h codec.PersonHash) bool {
		return slices.ContainsFunc(other, func(k items.Key) bool { return k.Hash() == h })
	})
	for _, key := range other {
		if void {
			next.VoidWith = append(next.VoidWith, key.Hash())
		}
	}
	person.next, err = s.placesOf(&next, head, s.today())
	return person, err
}

// movesOf returns the places of one of two people that move. The ranks are those of the view, which has both as they
// were.
func (s *Store) movesOf(ctx context.Context, people []pairPerson, i int) (moves []PairMove, err error) {
	p := people[i]
	var views []board.View
	for _, id := range sortedBoards(p.was, p.next) {
		if p.was[id] != p.next[id] {
			moves = append(moves, PairMove{User: p.id, ID: id, Score: p.was[id].Score(), NextScore: p.next[id].Score()})
			if !s.Ledger.Rules().OfTeams(id.Board) {
				views = append(views, board.View{Board: id.Board, Period: id.Period, User: p.id})
			}
		}
	}
	if len(moves) == 0 || !p.shown {
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
		if now := rankOn(was, id); p.was[id] != 0 {
			moves[n].Rank = now
		}
		if then := rankOn(next, id); p.next[id] != 0 && then > 0 {
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
func shift(people []pairPerson, i int, id board.ID) (ranks int64) {
	mine := board.Member{User: people[i].id, Packed: people[i].next[id]}
	for j, p := range people {
		if !p.shown {
			continue
		}
		if better(p.id, p.was[id], mine) {
			ranks--
		}
		if j != i && better(p.id, p.next[id], mine) {
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
