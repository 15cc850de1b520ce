package nightly

import (
	"context"

	"golang.org/x/sync/errgroup"

	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/ledger"
	"laurel/shared/pages"
)

// totalsAtOnce is the number of users whose totals are written concurrently.
const totalsAtOnce = 16

// Totals keeps users' totals pages, for windows longer than a month; state.Store does.
type Totals interface {
	ChangeTotals(ctx context.Context, user string, change func(page string) (string, error)) error
	Erased(ctx context.Context) (map[uint64]board.Moment, error)
}

// keepTotals keeps what a closed month came to, of everybody with pages of it. Its final
// boards do not tell that: they lack who was suppressed, and what has changed since they were
// final, as the month was live again with another of its boards.
func (r *run) keepTotals(ctx context.Context, month board.MonthOf) error {
	if r.Totals == nil || !r.Rules.Keeps(board.Year, board.All) {
		return nil
	}
	erased, err := r.Totals.Erased(ctx)
	if err != nil {
		return err
	}
	for some, err := range r.Live.Totals(ctx, month) {
		if err == nil {
			err = r.setTotals(ctx, some, month)
		}
		if err == nil {
			erased, err = r.forgetTotals(ctx, some, erased)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *run) setTotals(ctx context.Context, some []pages.Total, month board.MonthOf) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(totalsAtOnce)
	for _, t := range some {
		group.Go(func() error {
			return r.Totals.ChangeTotals(ctx, t.User, func(kept string) (string, error) {
				return ledger.KeepTotals(kept, t.Page, month)
			})
		})
	}
	return group.Wait()
}

// forgetTotals removes the totals of those who were erased since they were read, and returns
// who is erased now. An erasure goes over the table after it has put its tombstone.
func (r *run) forgetTotals(ctx context.Context, some []pages.Total, was map[uint64]board.Moment) (
	map[uint64]board.Moment, error,
) {
	erased, err := r.Totals.Erased(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range some {
		if hash := codec.Hash(t.User); erased[hash] > was[hash] {
			if err := r.Totals.ChangeTotals(ctx, t.User, func(string) (string, error) { return "", nil }); err != nil {
				return nil, err
			}
		}
	}
	return erased, nil
}
