package trial

import (
	"context"
	"fmt"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/night"
	"laurel/shared/store/items"
)

// isNew says whether the rules in force do not have a board, or a contest.
func (t *trial) isNew(id board.ID) bool {
	known := t.o.Ledger.Rules().Board(id.Board)
	return known == nil || id.Period.Window() == board.Contest && known.Contest != id.Period
}

// untotaled says whether people have no totals of a board's final months.
func (t *trial) untotaled(name string) bool {
	return t.o.Ledger.Rules().Board(name) == nil || !t.o.Ledger.Rules().Keeps(board.Quarter, board.Year, board.All)
}

// findFinals finds the final months in the current periods of boards without totals, and in contests. Their ledgers are
// read; where they are gone, that is not known.
func (t *trial) findFinals(ctx context.Context) error {
	kept, err := night.FinalLedgers(ctx, t.o.Items)
	if err != nil {
		return fmt.Errorf("trial: %w", err)
	}
	for _, id := range t.current {
		last := t.day.Month()
		switch {
		case id.Period.Window() == board.Contest:
			last = min(last, id.Period.Last().Month())
		case !t.untotaled(id.Board) || !id.Period.Window().OfMonths():
			continue
		}
		var gone []board.MonthOf
		for m := max(t.head.From, id.Period.First().Month()); m <= last; m++ {
			switch {
			case !t.head.Life.Final(board.PeriodOf(board.Month, m.First())):
			case !slices.Contains(kept, m):
				gone = append(gone, m)
			case !slices.Contains(t.finals, m):
				t.finals = append(t.finals, m)
			}
		}
		if len(gone) > 0 {
			t.result.Unknown = append(t.result.Unknown,
				fmt.Sprintf("%s, %s: the ledgers up to %s are gone", id.Board, id.Period, gone[len(gone)-1]))
		}
	}
	return nil
}

// totals returns the totals of an account by the other rules: those that the person has, and of boards without any
// those of the ledgers of final months.
func (t *trial) totals(account *items.Account, kept []ledger.MonthTotal) ([]ledger.MonthTotal, error) {
	untotaled := func(total ledger.MonthTotal) bool { return t.untotaled(total.Board) }
	all := slices.DeleteFunc(slices.Clone(kept), untotaled)
	counting, err := account.Counting(t.finals...)
	if err != nil {
		return nil, err
	}
	for m := range counting.Months {
		made, err := t.other.MonthTotals(counting, m)
		if err != nil {
			return nil, err
		}
		for _, total := range made {
			if untotaled(total) {
				all = append(all, total)
			}
		}
	}
	return all, nil
}
