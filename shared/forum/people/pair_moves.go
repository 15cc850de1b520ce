package people

import (
	"context"
	"slices"

	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// PairMoves returns the places that would move, by person and board, and changes nothing. The error wraps ErrSelf, or
// ErrNoPair if there is nothing to lift.
func (s *Store) PairMoves(ctx context.Context, user, other string, void bool) ([]Move, error) {
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
	moved := make([][2]*ledger.Account, len(accounts))
	for i, account := range accounts {
		a, err := account.Counting(account.Months...)
		if err != nil {
			return nil, err
		}
		moved[i] = [2]*ledger.Account{a, paired(a, accounts[1-i].Keys(), void)}
	}
	return s.moves(ctx, head, moved)
}

// paired returns an account with the pair void or not that it makes with another person, by the keys of that one.
func paired(a *ledger.Account, other []items.Key, void bool) *ledger.Account {
	next := *a
	next.VoidWith = slices.DeleteFunc(slices.Clone(a.VoidWith), func(h codec.PersonHash) bool {
		return slices.ContainsFunc(other, func(k items.Key) bool { return k.Hash() == h })
	})
	for _, key := range other {
		if void {
			next.VoidWith = append(next.VoidWith, key.Hash())
		}
	}
	return &next
}
