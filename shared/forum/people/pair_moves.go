package people

import (
	"context"
	"slices"

	"laurel/shared/core/codec"
	"laurel/shared/store/items"
)

// PairMoves returns the places that would move, by person and board, and changes nothing. The error wraps ErrSelf, or
// ErrNoPair if there is nothing to lift.
func (s *Store) PairMoves(ctx context.Context, user, other string, void bool) ([]Move, error) {
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
	people := make([]mover, len(accounts))
	for i, account := range accounts {
		if people[i], err = s.pairPerson(account, head, accounts[1-i].Keys(), void); err != nil {
			return nil, err
		}
	}
	return s.movesOfAll(ctx, people)
}

// pairPerson returns the places of an account, and those with another person void or not.
func (s *Store) pairPerson(account *items.Account, head *items.Head, other []items.Key, void bool) (
	person mover, err error,
) {
	a, err := account.Counting(s.readMonths(head)...)
	if err != nil {
		return person, err
	}
	person.id, person.shown, person.nextShown = account.ID, !a.Status.Suppressed(), !a.Status.Suppressed()
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
