package journal

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// Lifetime is the time from an entry's arrival to its expiry, unless its day cannot be
// sealed: see Renew.
const Lifetime = lifetime

const (
	erasedDays     = 31     // sealed days from which one step erases
	erasedAtOnce   = 8      // of them concurrently
	pendingBatches = 10_000 // that are read at once
)

// EraseSealed removes the rows of a user that arrived or happened up to a moment from the
// seals of some days after one, and returns the last of them; more is false if no others
// follow. It reads about as many segments of a run as the binary logarithm of their
// number. It can be repeated, and may run beside readers.
func (j *Journal) EraseSealed(ctx context.Context, user string, until board.Moment, after board.Date) (
	last board.Date, more bool, err error,
) {
	days, err := j.SealedDays(ctx, after+1, DayOf(until)+1)
	if err != nil {
		return after, false, err
	}
	more = len(days) > erasedDays
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(erasedAtOnce)
	for _, day := range days[:min(erasedDays, len(days))] {
		last = day.Day
		for _, r := range day.runs {
			group.Go(func() error { return j.eraseRun(within, day, r, user, until) })
		}
	}
	return last, more, group.Wait()
}

// eraseRun removes the rows of a user from a run.
func (j *Journal) eraseRun(ctx context.Context, day Sealed, r run, user string, until board.Moment) error {
	return j.segmentsOf(ctx, day, r, user, func(item table.Item, rows []ledger.Row) (again bool, err error) {
		left := slices.DeleteFunc(slices.Clone(rows), func(row ledger.Row) bool {
			return row.User == user && (row.At <= until || StartOf(day.Day+1) <= until)
		})
		if len(left) == len(rows) {
			return false, nil
		}
		next := table.Item{Key: item.Key, Data: encode(item.Key, left), Expires: item.Expires}
		switch err := j.table.Replace(ctx, next, item.Data); {
		case errors.Is(err, table.ErrExists):
			return true, nil // another user is erased from it
		case err != nil:
			return false, fmt.Errorf("journal: erase from %s: %w", item.Key, err)
		}
		return false, nil
	})
}

// ErasePending removes the activities of a user, and those that follow the user, from what
// is pending and arrived up to a moment. It can be repeated.
func (j *Journal) ErasePending(ctx context.Context, user string, until board.Moment,
	follows func(*activity.Activity) bool,
) error {
	batches, err := j.Pending(ctx, pendingBatches)
	if err != nil {
		return err
	}
	for _, b := range batches {
		var left []ledger.Row
		for _, a := range b.Activities {
			if a.User != user && (a.Target != user || !follows(&a)) {
				left = append(left, ledger.Row{Activity: a})
			}
		}
		if b.Arrival > until || len(left) == len(b.Activities) {
			continue
		}
		if len(left) == 0 {
			err = j.DeletePending(ctx, b)
		} else {
			err = j.table.Replace(ctx, table.Item{Key: b.key, Data: encode(b.key, left)}, b.data)
		}
		if err != nil && !errors.Is(err, table.ErrExists) { // else it is admitted just now, which refuses them
			return fmt.Errorf("journal: erase from pending activities: %w", err)
		}
	}
	return nil
}
