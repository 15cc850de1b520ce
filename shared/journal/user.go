package journal

import (
	"context"
	"sort"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/table"
)

// RowsOf calls take with the rows of a user: first those of the seals, day by day, of which
// about as many segments are read as the binary logarithm of their number, then those that
// arrived from one moment on and up to another on days that are not sealed. The raw rows of
// sealed days are the same as theirs.
func (j *Journal) RowsOf(
	ctx context.Context, user string, from, until board.Moment, take func(ledger.Row) error,
) error {
	days, err := j.SealedDays(ctx, 1, DayOf(until))
	if err != nil {
		return err
	}
	sealed := map[board.Date]bool{}
	for _, day := range days {
		sealed[day.Day] = true
		for _, r := range day.runs {
			if err := j.rowsOfRun(ctx, day, r, user, take); err != nil {
				return err
			}
		}
	}
	from = max(from, StartOf(DayOf(until.Add(-lifetime))))
	for day := DayOf(from); day <= DayOf(until); day++ {
		if sealed[day] {
			continue
		}
		first, end := max(from, StartOf(day)), min(StartOf(day+1), until+1)
		err := j.Read(ctx, first, end, func(arrival board.Moment, rows []ledger.Row) error {
			for i := range rows {
				rows[i].Arrived = arrival
			}
			return takeOf(user, rows, take)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (j *Journal) rowsOfRun(ctx context.Context, day Sealed, r run, user string, take func(ledger.Row) error) error {
	return j.segmentsOf(ctx, day, r, user, func(_ table.Item, rows []ledger.Row) (again bool, err error) {
		return false, takeOf(user, rows, take)
	})
}

// takeOf calls take with those rows that are of a user.
func takeOf(user string, rows []ledger.Row, take func(ledger.Row) error) error {
	for _, row := range rows {
		if row.User != user {
			continue
		}
		if err := take(row); err != nil {
			return err
		}
	}
	return nil
}

// segmentsOf calls do with the segments of a run that may have rows of a user, and with one
// again, read anew, if do says so.
func (j *Journal) segmentsOf(ctx context.Context, day Sealed, r run, user string,
	do func(item table.Item, rows []ledger.Row) (again bool, err error),
) error {
	n, err := j.firstSegment(ctx, day, r, user)
	for err == nil && n < r.segments {
		item, rows, failed := j.segment(ctx, day, r, n)
		if failed != nil || len(rows) > 0 && rows[0].User > user {
			return failed
		}
		var again bool
		if again, err = do(item, rows); !again {
			n++
		}
	}
	return err
}

// firstSegment returns the first segment of a run whose last user is not before the user.
func (j *Journal) firstSegment(ctx context.Context, day Sealed, r run, user string) (int64, error) {
	var failed error
	first := sort.Search(int(r.segments), func(n int) bool {
		for at := int64(n); at < r.segments && failed == nil; at++ {
			_, rows, err := j.segment(ctx, day, r, at)
			if failed = err; len(rows) > 0 {
				return rows[len(rows)-1].User >= user
			}
		}
		return true
	})
	return int64(first), failed
}

// PendingOf returns the pending activities of a user, in the order of their arrival.
func (j *Journal) PendingOf(ctx context.Context, user string) (all []activity.Activity, err error) {
	batches, err := j.Pending(ctx, pendingBatches)
	if err != nil {
		return nil, err
	}
	for _, b := range batches {
		for _, a := range b.Activities {
			if a.User == user {
				all = append(all, a)
			}
		}
	}
	return all, nil
}
