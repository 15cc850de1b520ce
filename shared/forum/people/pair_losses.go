package people

import (
	"cmp"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/events"
	"laurel/shared/store/items"
)

// tellsOfPair returns the events of a pair that an act makes void, of each of the two who loses points.
func (s *Store) tellsOfPair(head *items.Head, accounts []*items.Account, act *items.Act) ([]items.Change, error) {
	var all []items.Change
	for i, account := range accounts {
		taken, err := s.takenByPair(account, accounts[1-i].Keys())
		if err != nil {
			return nil, err
		}
		if taken.Reason = act.Reason; len(taken.Lost) > 0 {
			all = append(all, events.TakenBy(s.Ledger, head, act, taken, s.Real())...)
		}
	}
	return all, nil
}

// takenByPair returns the points that a person loses if the pair with another one, who has some keys, becomes void: by
// home board and live month, as the ledgers that were read with the account have them.
func (s *Store) takenByPair(account *items.Account, other []items.Key) (items.Taken, error) {
	taken := items.Taken{Person: account.Key, Kind: events.KindVoided}
	was, err := account.Counting(account.Months...)
	if err != nil {
		return taken, err
	}
	taken.Lost, err = s.lossesOf(account.Months, paired(was, other, true), was)
	return taken, err
}

// lossesOf returns the points of months that the account after an act has not, and one of the accounts before it had:
// by home board and month, the newest first.
func (s *Store) lossesOf(months []board.MonthOf, after *ledger.Account, before ...*ledger.Account) (
	lost []items.Loss, err error,
) {
	for _, m := range months {
		now, err := s.homeTotals(after, m)
		if err != nil {
			return nil, err
		}
		most := map[string]int64{}
		for _, a := range before {
			was, err := s.homeTotals(a, m)
			if err != nil {
				return nil, err
			}
			for name, points := range was {
				most[name] = max(most[name], points-now[name])
			}
		}
		for name, points := range most {
			if points > 0 {
				lost = append(lost, items.Loss{Board: name, Period: board.PeriodOf(board.Month, m.First()), Points: points})
			}
		}
	}
	slices.SortFunc(lost, func(a, b items.Loss) int {
		return cmp.Or(b.Period.Compare(a.Period), cmp.Compare(a.Board, b.Board))
	})
	return lost, nil
}

// homeTotals returns the sums of a month on the boards that are actions' homes.
func (s *Store) homeTotals(a *ledger.Account, m board.MonthOf) (map[string]int64, error) {
	totals, err := s.Ledger.MonthTotals(a, m)
	points := make(map[string]int64, len(totals))
	for _, t := range totals {
		if s.Ledger.Rules().Board(t.Board).Home() {
			points[t.Board] = t.Score
		}
	}
	return points, err
}
