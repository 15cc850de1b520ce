package audit

import (
	"context"
	"fmt"
	"slices"

	"laurel/shared/board"
)

// checkBoard checks the members of a board who were not checked with their pages, and
// that the period is in the index.
func (a *Auditor) checkBoard(ctx context.Context, at BoardAt) error {
	if at.Shard < 0 || at.Shard >= a.Store.Shards() {
		a.tell(Finding{
			Kind: Misplaced, Place: fmt.Sprintf("shard %d, %s", at.Shard, place{at.Board, at.Period}),
			Is: "unknown shard", Kept: "with these settings nothing is repaired",
		})
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
	if !a.keeps(at) {
		a.tell(Finding{
			Kind: Score, Place: fmt.Sprintf("shard %d, %s", at.Shard, place{at.Board, at.Period}),
			Is: "a board that the rules do not keep", Kept: "the night archives it",
		})
		return nil
	}
	return a.Store.ScanBoard(ctx, at, func(users []string) error {
		a.Cursor.Totals.Members += int64(len(users))
		return a.checkStrays(ctx, at.Shard, users, asked, months(at.Period), extra{boards: []BoardAt{at}})
	})
}

// enterPeriod reports a board that is not in the index of periods. It reads the index
// again, as the board may be new.
func (a *Auditor) enterPeriod(ctx context.Context, at BoardAt) error {
	periods, _, err := a.Store.Periods(ctx, at.Shard)
	if err != nil {
		return err
	}
	if a.setLive(at.Shard, periods); slices.Contains(periods, at) {
		return nil
	}
	f := Finding{
		Kind: Index, Place: fmt.Sprintf("periods of shard %d", at.Shard),
		Is: place{at.Board, at.Period}.String() + " is not in it", Should: "in it",
	}
	if a.Apply {
		if err := a.Store.IndexPeriod(ctx, at.Shard, at.Name(), true); err != nil {
			return err
		}
		f.Repaired = true
	}
	a.tell(f)
	return nil
}

// checkMonth checks the users of a month's index who have no page of it.
func (a *Auditor) checkMonth(ctx context.Context, at MonthAt) error {
	if at.Shard < 0 || at.Shard >= a.Store.Shards() {
		a.tell(Finding{
			Kind: Misplaced, Place: fmt.Sprintf("shard %d, users of %s", at.Shard, at.Month), Is: "unknown shard",
			Kept: "with these settings nothing is repaired",
		})
		return nil
	}
	return a.Store.ScanMonth(ctx, at, func(users []string) error {
		a.Cursor.Totals.Members += int64(len(users))
		return a.checkStrays(ctx, at.Shard, users, true, []board.MonthOf{at.Month}, extra{months: []MonthAt{at}})
	})
}

// checkStrays checks users who have no page of the months. The others were checked with
// their pages, if asked is true.
func (a *Auditor) checkStrays(ctx context.Context, shard int, users []string, asked bool, months []board.MonthOf,
	also extra,
) error {
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

// checkFollowers checks users who follow somebody and have no pages.
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

// months returns the months of a period's days; none for a year and for all time, for
// which any page counts.
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
