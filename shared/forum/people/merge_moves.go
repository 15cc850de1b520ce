package people

import (
	"context"
	"errors"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/items"
)

// MergeMoves returns the places that would move if a user were merged into another, by person and board, and changes
// nothing; none if that was done before. The error is that of Merge.
func (s *Store) MergeMoves(ctx context.Context, user, into string) ([]Move, error) {
	pair, err := s.mergePair(ctx, user, into)
	if err != nil {
		return nil, err
	}
	if m, err := pair.old.merge(); err == nil && m.Into == pair.into.account.ID {
		return nil, nil
	} else if err == nil {
		return nil, ErrMergedElsewhere
	}
	if err := pair.refusal(); err != nil {
		return nil, err
	}
	ids := []string{pair.old.account.ID, pair.into.account.ID}
	head, accounts, err := s.Items.Accounts(ctx, ids, s.readMonths)
	if err == nil {
		err = errors.Join(accounts[0].Err, accounts[1].Err)
	}
	if err != nil {
		return nil, err
	}
	people, err := s.mergeMovers(head, accounts[0], accounts[1])
	if err != nil {
		return nil, err
	}
	return s.movesOfAll(ctx, people)
}

// mergeMovers returns the places of two people, and those of the second once the first is merged into it: the first
// then has none.
func (s *Store) mergeMovers(head *items.Head, old, into *items.Account) ([]mover, error) {
	months := s.readMonths(head)
	one, err := old.Counting(months...)
	if err != nil {
		return nil, err
	}
	other, err := into.Counting(months...)
	if err != nil {
		return nil, err
	}
	both, err := s.joinedAccount(head, old, into, one, months)
	if err != nil {
		return nil, err
	}
	people := []mover{
		{id: old.ID, shown: !one.Status.Suppressed()},
		{id: into.ID, shown: !other.Status.Suppressed(), nextShown: !both.Status.Suppressed()},
	}
	for i, a := range []*ledger.Account{one, other} {
		if people[i].was, err = s.placesOf(a, head, s.today()); err != nil {
			return nil, err
		}
	}
	people[1].next, err = s.placesOf(both, head, s.today())
	return people, err
}

// joinedAccount returns the account of a person into whom another one, whose part that counts is one, is merged.
func (s *Store) joinedAccount(
	head *items.Head, old, into *items.Account, one *ledger.Account, months []board.MonthOf,
) (*ledger.Account, error) {
	keys := append([]items.Key{old.Key}, old.Person.Value.Copy().Merged...)
	_, next := joinPeople(old.Person.Value.Copy(), into.Person.Value.Copy(), keys, into.Key)
	marked := *into
	marked.Person.Value = &next
	both, err := marked.Counting(months...)
	if err != nil {
		return nil, err
	}
	around := ledger.Surroundings{Life: head.Life, Now: s.now()}
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
