package nightly

import (
	"context"
	"errors"
	"slices"
	"sync"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// totalsAtOnce is the number of users whose totals are written concurrently.
const totalsAtOnce = 16

// Totals keeps users' totals pages, for windows longer than a month; state.Store does.
type Totals interface {
	SetTotals(ctx context.Context, user, page string) error
}

// keepTotals keeps the totals of those whom the final boards of a month will not have: who
// is suppressed, or of everybody.
func (r *run) keepTotals(ctx context.Context, month board.MonthOf, everybody bool) error {
	if r.Totals == nil || !r.Rules.Keeps(board.Year, board.All) {
		return nil
	}
	set, err := r.closedSet(ctx)
	if err != nil {
		return err
	}
	final := func(m board.MonthOf) bool { // one that was reopened may be before others that are
		return m <= month || set.Periods.Has("", board.PeriodOf(board.Month, m.First()))
	}
	var (
		mu   sync.Mutex
		errs []error
		all  sync.WaitGroup
		free = make(chan struct{}, totalsAtOnce)
	)
	failed := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil && len(errs) < totalsAtOnce {
			errs = append(errs, err)
		}
	}
	for t, err := range r.Live.Totals(ctx, month, everybody) {
		if failed(err); err != nil {
			break
		}
		free <- struct{}{}
		all.Go(func() {
			page, err := ledger.CutTotals(t.Page, final)
			if err == nil {
				err = r.Totals.SetTotals(ctx, t.User, page)
			}
			failed(err)
			<-free
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// needTotalsOfAll reports whether final boards do not tell what months came to on a board
// with a longer window: it has no boards of months, or they are not kept for ever.
func (r *run) needTotalsOfAll() bool {
	return slices.ContainsFunc(r.Rules.Boards(), func(name string) bool {
		windows := r.Rules.Windows(name)
		longer := slices.Contains(windows, board.Year) || slices.Contains(windows, board.All)
		return longer && (r.ArchiveMonths > 0 || !slices.Contains(windows, board.Month))
	})
}
