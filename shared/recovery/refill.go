package recovery

import (
	"context"
	"errors"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// fill goes over the users of the period: those with rows in it, or of a year those who
// have totals that final months do not tell. Those on the copy alone come after.
func (r *reopening) fill(ctx context.Context, write bool) error {
	var chunk []pages.UserRows
	size := 0
	add := func(user string, rows []ledger.Row) (err error) {
		chunk, size = append(chunk, pages.UserRows{User: user, Rows: rows}), size+len(rows)
		if len(chunk) == usersAtOnce || size >= rowsAtOnce {
			err = r.refill(ctx, chunk, write)
			chunk, size = nil, 0
		}
		return err
	}
	if r.Period.Window() > board.Month {
		for t, err := range r.State.Totals(ctx) {
			if err == nil {
				err = add(t.User, nil)
			}
			if err != nil {
				return err
			}
		}
		return r.refill(ctx, chunk, write)
	}
	err := r.Journal.ByUser(ctx, r.days, func(user string, rows []ledger.Row) error {
		if rows = r.ofPeriod(r.filter(user, rows)); len(rows) == 0 {
			return nil
		}
		if r.compare {
			r.told.Rows += int64(len(rows))
		}
		if r.Period.Window() == board.Week {
			rows = nil // the pages of its days are final, or live
		}
		return add(user, rows)
	})
	if err != nil {
		return err
	}
	return r.refill(ctx, chunk, write)
}

// ofPeriod returns the rows of the period, with what they change in it alone.
func (r *reopening) ofPeriod(rows []ledger.Row) []ledger.Row {
	first, last := r.Period.First(), r.Period.Last()
	kept := rows[:0]
	for _, row := range rows {
		date := r.Ledger.Calendar().Date(row.At)
		own := first <= date && date <= last
		before := r.Period.Window() == board.Month && date.Month()-1 == first.Month()
		if month, ok := row.Page.Month(); ok {
			own, before = row.Page == ledger.DayPage(first), false
			if r.Period.Window() == board.Month {
				own = month == first.Month()
			}
		}
		var keep ledger.Registers
		if own {
			keep |= ledger.Own
		}
		if before {
			keep |= ledger.Before
		}
		if row.Changed &= keep; row.Changed != 0 {
			kept = append(kept, row)
		}
	}
	return kept
}

// refill puts users with their rows into Redis, or works out what they would have; without
// users whose pages are damaged.
func (r *reopening) refill(ctx context.Context, users []pages.UserRows, write bool) error {
	if len(users) == 0 {
		return nil
	}
	filled, err := r.live.Refill(ctx, r.LivePeriod, users, write)
	half := len(users) / 2
	switch {
	case errors.Is(err, redisstore.ErrNotReopening) || !errors.Is(err, redisstore.ErrStored):
	case half == 0:
		if !write {
			r.told.Damaged++
			delete(r.copied, users[0].User)
		}
		r.Log.ErrorContext(ctx, "a user is left out: the user's pages are damaged; audit names them")
		return nil
	default:
		return errors.Join(r.refill(ctx, users[:half], write), r.refill(ctx, users[half:], write))
	}
	if err == nil && r.compare {
		r.count(filled)
	}
	return err
}

// count compares what users would have with the copy.
func (r *reopening) count(filled []pages.Refilled) {
	for _, f := range filled {
		final, on := r.copied[f.User]
		delete(r.copied, f.User)
		if f.Summary {
			r.told.Summaries++
		}
		if f.Packed != 0 && !f.Suppressed {
			r.told.Users++
		}
		switch {
		case on && f.Suppressed:
			r.told.Suppressed++
		case on && final != f.Packed:
			if r.told.Differs++; len(r.told.Differences) < maxDifferences {
				r.told.Differences = append(r.told.Differences, Difference{f.User, final.Score(), f.Packed.Score()})
			}
		case !on && f.Packed != 0 && !f.Suppressed:
			r.told.Added++
		}
	}
}
