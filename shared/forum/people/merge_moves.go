package people

import (
	"context"

	"laurel/shared/core/ledger"
)

// MergeMoves returns the places that would move if a user were merged into another, by person and board, and changes
// nothing; none if that was done before. The error is that of Merge.
func (s *Store) MergeMoves(ctx context.Context, user, into string) ([]Move, error) {
	pair, err := s.mergePair(ctx, user, into, s.readMonths)
	if err != nil {
		return nil, err
	}
	if _, begun, err := pair.begun(); begun || err != nil {
		return nil, err
	}
	one, other, err := pair.counting()
	if err != nil {
		return nil, err
	}
	both, err := s.joinedAccount(pair, one)
	if err != nil {
		return nil, err
	}
	return s.moves(ctx, pair.into.Head, [][2]*ledger.Account{{one, nil}, {other, both}})
}

// joinedAccount returns the account of a person into whom another one, whose part that counts is one, is merged.
func (s *Store) joinedAccount(p mergePair, one *ledger.Account) (*ledger.Account, error) {
	_, next := p.joined()
	marked, months := *p.into.account, p.into.months
	marked.Person.Value = &next
	both, err := marked.Counting(months...)
	if err != nil {
		return nil, err
	}
	around := ledger.Surroundings{Life: p.into.Head.Life, Now: s.now()}
	for _, m := range months {
		joined, err := s.Ledger.Join(both, one, m, around)
		if err != nil {
			return nil, err
		}
		both.Months[m] = joined.Ledger
	}
	both.Totals = ledger.JoinTotals(both.Totals, one.Totals)
	return both, nil
}
