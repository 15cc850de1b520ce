package audit

import (
	"context"
	"fmt"
	"slices"

	"laurel/shared/board"
)

// checkBoard looks at every member of a board for whom the pages give no reason
// to be looked for there, and sees that the period is in the index.
func (a *Auditor) checkBoard(ctx context.Context, at BoardAt) error {
	if at.Shard < 0 || at.Shard >= a.Store.Shards() {
		a.tell(Finding{Kind: Misplaced, Place: fmt.Sprintf("shard %d, %s", at.Shard, place{at.Board, at.Period}), Is: "there is no such shard"})
		return nil
	}
	closed, err := a.Store.Closed(ctx, at.Shard)
	if err != nil || closed.Has(at.Board, at.Period) {
		return err
	}
	asked := slices.ContainsFunc(a.live[at.Shard], func(l lived) bool { return l.at == at })
	if !asked {
		if err := a.enterPeriod(ctx, at); err != nil {
			return err
		}
	}
	kept := slices.Contains(a.Ledger.Rules().Windows(at.Board), at.Period.Window())
	return a.Store.ScanBoard(ctx, at, func(users []string) error {
		a.members.Add(int64(len(users)))
		return a.checkStrays(ctx, at.Shard, users, asked && kept, months(at.Period), extra{board: &at})
	})
}

// enterPeriod reports a board that its index does not have. One that was written
// since the index was read is there by now.
func (a *Auditor) enterPeriod(ctx context.Context, at BoardAt) error {
	periods, _, err := a.Store.Periods(ctx, at.Shard)
	if err != nil {
		return err
	}
	if a.setLive(at.Shard, periods); slices.Contains(periods, at) {
		return nil
	}
	f := Finding{Kind: Index, Place: fmt.Sprintf("periods of shard %d", at.Shard), Is: place{at.Board, at.Period}.String() + " is not in it", Should: "in it"}
	if a.Repair {
		if err := a.Store.IndexPeriod(ctx, at.Shard, at.Name(), true); err != nil {
			return err
		}
		f.Repaired = true
	}
	a.tell(f)
	return nil
}

// checkMonth looks at every user of a month's index who has no page of it.
func (a *Auditor) checkMonth(ctx context.Context, at MonthAt) error {
	if at.Shard < 0 || at.Shard >= a.Store.Shards() {
		a.tell(Finding{Kind: Misplaced, Place: fmt.Sprintf("shard %d, users of %s", at.Shard, at.Month), Is: "there is no such shard"})
		return nil
	}
	return a.Store.ScanMonth(ctx, at, func(users []string) error {
		a.members.Add(int64(len(users)))
		return a.checkStrays(ctx, at.Shard, users, true, []board.MonthOf{at.Month}, extra{month: &at})
	})
}

// checkStrays looks closely at those who have no page of the months. The others
// were asked about with their pages, if anybody was.
func (a *Auditor) checkStrays(ctx context.Context, shard int, users []string, asked bool, months []board.MonthOf, also extra) error {
	paged, err := a.Store.Paged(ctx, shard, users, months...)
	if err != nil {
		return err
	}
	var strays []Owner
	for i, user := range users {
		if !asked || !paged[i] {
			strays = append(strays, Owner{Shard: shard, User: user})
		}
	}
	return a.checkUsers(ctx, strays, also)
}

// checkFollowers looks closely at those who follow somebody and have no pages.
func (a *Auditor) checkFollowers(ctx context.Context, followers []Owner) error {
	byShard := map[int][]string{}
	for _, o := range followers {
		byShard[o.Shard] = append(byShard[o.Shard], o.User)
	}
	for shard, users := range byShard {
		if err := a.checkStrays(ctx, shard, users, true, nil, extra{}); err != nil {
			return err
		}
	}
	return nil
}

// months lists those that days of a period are in; none for a year and for all
// time, for which any page will do.
func months(p board.Period) []board.MonthOf {
	if p.Window() > board.Month {
		return nil
	}
	first, last := p.First().Month(), (p.Next().First() - 1).Month()
	if first == last {
		return []board.MonthOf{first}
	}
	return []board.MonthOf{first, last}
}
