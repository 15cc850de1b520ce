package night

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/core/ledger"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
)

// A Why is the reason why a final board differs from the ledgers.
type Why string

// The reasons of differences.
const (
	WhyErased      Why = "erased"
	WhyHidden      Why = "hidden now"
	WhyExcluded    Why = "excluded now"
	WhyAdded       Why = "added since" // was hidden or excluded then, or its points came later
	WhyLate        Why = "late undo"   // or restore, or void, or an earlier day, after it was final
	WhyVoided      Why = "void pair"   // a pair with the user became void, or was lifted or erased, after it was final
	WhyMerged      Why = "merged"      // since then a person was merged into another, or has another's points
	WhyReopened    Why = "reopened"    // a period of its months was, and took activities that it has not
	WhyGroups      Why = "groups now"  // the user's groups were other ones: another team, or conditions of the board
	WhyWreath      Why = "wreath"      // it is not that of the board
	WhyUnexplained Why = "unexplained"
)

// reopened says whether a period was open after a board's closing in which the board's users may
// have got other scores: it has days of the board's, or earlier ones of the same months.
func (a *auditing) reopened(ctx context.Context, target board.ID, closing int64) (bool, error) {
	first := target.Period.First().Month().First()
	for _, p := range a.kept.Reopened {
		if p == target.Period || p.Last() < first || p.First() > target.Period.Last() {
			continue
		}
		if !a.head.Life.Final(p) {
			return true, nil
		}
		m, err := a.Finals.Manifest(ctx, target.Board, p)
		switch {
		case errors.Is(err, final.ErrNotFinal), err == nil && m.Closing > closing:
			return true, nil
		case err != nil && !errors.Is(err, codec.ErrDamaged):
			return false, err
		}
	}
	return false, nil
}

// explain returns why places differ, by the ledgers and the known history of the board.
func (a *auditing) explain(ctx context.Context, target board.ID, differ []Difference, by func(Why) Why) error {
	for some := range slices.Chunk(differ, 50) {
		var q items.Query
		for _, d := range some {
			q.AddAccount(d.key, monthsOf([]board.Period{target.Period}))
		}
		found, err := a.Items.Read(ctx, q)
		if err != nil {
			return err
		}
		for _, d := range some {
			d.Board, d.Period = target.Board, target.Period
			person := found.People[d.key].Value
			if person == nil {
				person = &items.Person{}
			}
			d.User = cmp.Or(d.User, person.ID)
			why := a.why(found, person, d)
			if why == WhyUnexplained || by(why) == WhyUnexplained {
				voided, err := a.wasVoided(ctx, found, person, d)
				if err != nil {
					return err
				}
				if voided {
					why = WhyVoided
				}
			}
			d.Why = by(why)
			a.differs(d)
		}
	}
	return nil
}

// why decides.
func (a *auditing) why(found *items.Found, person *items.Person, d Difference) Why {
	gone := d.Ledger == 0
	switch {
	case gone && person.Erased >= a.calendar().Start(d.Period.Last()+1):
		return WhyErased
	case gone && person.Status.Excluded:
		return WhyExcluded
	case gone && person.Status.Suppressed():
		return WhyHidden
	case person.Into != "" || len(person.Merged) > 0:
		return WhyMerged
	case a.grouped(found, person, d):
		return WhyGroups
	case len(person.VoidPairs) > 0 && a.late(a.accountOf(found, person, d), d):
		return WhyVoided
	case !d.Period.Window().OfMonths() && a.late(a.accountOf(found, person, d), d):
		return WhyLate
	case d.Final == 0:
		return WhyAdded
	default:
		return WhyUnexplained
	}
}

// grouped says whether a final score is still the user's by the ledgers, so that the user was on the board with other
// groups, or another day of the account.
func (a *auditing) grouped(found *items.Found, person *items.Person, d Difference) bool {
	b := a.Ledger.Rules().Board(d.Board)
	if b == nil || b.People.Everybody() && len(b.Teams) == 0 || d.Final == 0 || d.Ledger != 0 && d.Ledger != d.Final ||
		d.Ledger != 0 && len(b.Teams) == 0 {
		return false
	}
	account := a.accountOf(found, person, d)
	account.Anyone = true
	if d.Period.Window().OfTotals() {
		totals := a.sum(person.Totals, board.ID{Board: d.Board, Period: d.Period})
		return totals.Score() == d.Final
	}
	place, err := a.Ledger.PlaceIn(account, d.Board, d.Period)
	return err == nil && place.Packed.Score() == d.Final
}

// accountOf returns an account with the ledgers of a difference's months.
func (a *auditing) accountOf(found *items.Found, person *items.Person, d Difference) *ledger.Account {
	account := person.Asked()
	account.User, account.Months = d.User, map[board.MonthOf]*ledger.MonthLedger{}
	for _, m := range monthsOf([]board.Period{d.Period}) {
		account.Months[m] = found.Ledgers[items.LedgerKey{Person: d.key, Month: m}].Value
	}
	return account
}

// late says whether a final score is the user's score before undos, restores and voids that the
// ledgers know of by now. Those of a month are not changed once it is closed.
func (a *auditing) late(account *ledger.Account, d Difference) bool {
	came, err := a.Ledger.Bounds(account, d.Board, d.Period)
	return err == nil && came.Has(d.Final)
}

// wasVoided says whether a final score, or none, is the user's without some acts for people who were erased since: a
// void pair with one of them went with that one's items. Totals keep the points that such a pair had left.
func (a *auditing) wasVoided(
	ctx context.Context, found *items.Found, person *items.Person, d Difference,
) (bool, error) {
	if !a.head.Pairs || d.Period.Window().OfTotals() {
		return false, nil
	}
	if err := a.readErased(ctx); err != nil {
		return false, err
	}
	account, end := a.accountOf(found, person, d), a.calendar().Start(d.Period.Last()+1)
	for other, moment := range a.erased {
		if moment >= end {
			account.WasVoid = append(account.WasVoid, other)
		}
	}
	return a.late(account, d), nil
}

// readErased reads the people who were erased, once.
func (a *auditing) readErased(ctx context.Context) error {
	if a.erased != nil {
		return nil
	}
	a.erased = map[codec.PersonHash]board.Moment{}
	for row, err := range a.Items.Everybody(ctx) {
		if err != nil {
			return err
		}
		if row.Err == nil && row.Value.Erased != 0 {
			a.erased[row.Key.Hash()] = row.Value.Erased
		}
	}
	return nil
}
