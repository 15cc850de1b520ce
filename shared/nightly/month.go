package nightly

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// errWaits is the error of a month whose pages stay because one of its boards is still in
// Redis; the result lists that board.
var errWaits = errors.New("nightly: a board of the month is still live")

// month removes the pages of a month if none of its boards is in Redis: days, weeks and
// the month itself. Longer windows use the users' totals, which stay.
func (r *run) month(ctx context.Context, month board.MonthOf) error {
	began := time.Now()
	set, err := r.closedSet(ctx)
	if err != nil {
		return err
	}
	if p := board.PeriodOf(board.Month, month.First()); set.Reopening("", p) {
		return fmt.Errorf("%w: in %s", redisstore.ErrReopening, p)
	}
	if err := r.closeMonth(ctx, month); err != nil {
		return err
	}
	if err := r.whole(ctx, "", board.PeriodOf(board.Month, month.First())); err != nil {
		return err
	}
	// Read after closing: an activity recorded before may have created a board.
	periods, err := r.Live.Periods(ctx)
	if err != nil {
		return err
	}
	for _, p := range periods {
		if w := p.Period.Window(); w <= board.Month && p.Period.First() < (month+1).First() &&
			p.Period.Last() >= month.First() {
			return fmt.Errorf("%w: %s", errWaits, nameOf(p.Board, p.Period))
		}
	}
	if err := r.keepTotals(ctx, month); err != nil {
		return err
	}
	if err := r.still(ctx, "", board.PeriodOf(board.Month, month.First())); err != nil {
		return err
	}
	if err := r.Live.RemovePages(ctx, month); err != nil {
		return err
	}
	emptied := Emptied{month.String(), time.Since(began).Seconds()}
	r.result.Months = append(r.result.Months, emptied)
	r.Log.InfoContext(ctx, "pages removed", "month", emptied.Month, "seconds", emptied.Seconds)
	return nil
}
