package people

import (
	"context"

	"laurel/shared/forum/events"
	"laurel/shared/store/items"
)

// tellsOfMerge returns the events of a merge for the person of both: that the person is excluded as one of the two was,
// or has fewer points than one of them had, as acts for each other and acts of both count no more, or as void pairs and
// awards below zero are those of both.
func (s *Store) tellsOfMerge(p mergePair, act *items.Act) ([]items.Change, error) {
	if !events.Tells(s.Ledger.Rules()) {
		return nil, nil
	}
	one, other, err := p.counting()
	if err != nil {
		return nil, err
	}
	taken := items.Taken{Person: p.into.account.Key, Kind: events.KindExcluded, Reason: act.Reason}
	if !one.Status.Excluded || other.Status.Excluded {
		both, err := s.joinedAccount(p, one)
		if err != nil {
			return nil, err
		}
		taken.Kind = events.KindMerged
		if taken.Lost, err = s.lossesOf(p.into.months, both, one, other); err != nil || len(taken.Lost) == 0 {
			return nil, err
		}
	}
	return events.TakenBy(s.Ledger, p.into.Head, act, taken, s.Real()), nil
}

// tellsOfWiderPair returns the events of a void pair that takes in more accounts of the other person, for a user who
// loses points by that.
func (s *Store) tellsOfWiderPair(ctx context.Context, user, other string) ([]items.Change, error) {
	if !events.Tells(s.Ledger.Rules()) {
		return nil, nil
	}
	head, accounts, err := s.pairAccounts(ctx, user, other, s.liveMonths)
	if err != nil {
		return nil, err
	}
	taken, err := s.takenByPair(accounts[0], accounts[1].Keys())
	if err != nil || len(taken.Lost) == 0 {
		return nil, err
	}
	since, _ := pairOf(accounts)
	pair, err := s.pairOfRecord(ctx, accounts, since)
	taken.Reason = pair.Reason
	return events.TakenBy(s.Ledger, head, s.Items.Act(items.Act{}).Act, taken, s.Real()), err
}
