package nightly

import (
	"cmp"
	"context"
	"slices"

	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/state"
)

const (
	journalMonths = 13
	// readable is the number of days before today whose entries have not expired.
	readable = 34
	// renewFrom is the age in days from which the entries of an unsealed day are renewed.
	renewFrom = 20
	// manyUnsealed is the number of unsealed days from which a run warns.
	manyUnsealed = 3
)

// Journal is what was accepted; journal.Journal is one.
type Journal interface {
	Read(ctx context.Context, from, until board.Moment, take func(arrival board.Moment, rows []ledger.Row) error) error
	Seal(ctx context.Context, day board.Date, compact journal.Compact) (journal.Sealed, error)
	SealedDays(ctx context.Context, first, last board.Date) ([]journal.Sealed, error)
	Expire(ctx context.Context, today board.Date, months int) (int, error)
	Renew(ctx context.Context, day board.Date, now board.Moment) (int64, error)
}

// journal proves and seals the days that are not sealed, the oldest first, and proves what
// came after them, and once more what the last run has sealed. It says whether all is
// proved: else nothing may be closed, as what the proof would mend would be too late. A run that
// does it again says once that it is the first time.
func (r *run) journal(ctx context.Context, once bool) (proved bool) {
	p := &proof{run: r, damaged: map[string]bool{}}
	until := r.Now.Add(-inFlight)
	today := journal.DayOf(until)
	var days []board.Date
	var marked bool // a day is sealed
	proved = r.step(ctx, "journal", 0, func() (err error) {
		if p.erased, err = r.State.Erased(ctx); err == nil {
			days, marked, err = r.unsealed(ctx, today)
		}
		return err
	})
	begun := marked
	unsealed := slices.Clone(days)
	for _, day := range days {
		before := r.result.Proof.Rows
		proved = r.step(ctx, "proof of "+day.String(), 0, func() error {
			from, until := proven(day)
			return p.prove(ctx, from, until)
		})
		if !proved {
			break
		}
		r.result.Proof.Days++
		if !begun && r.result.Proof.Rows > before {
			begun, marked = true, r.seal(ctx, p, day-1) // an empty day, so that those after it are missed
		}
		if !begun || (marked && r.seal(ctx, p, day)) {
			unsealed = slices.DeleteFunc(unsealed, func(d board.Date) bool { return d == day })
		}
	}
	first := append(days, today)[0]
	if once {
		r.first = first
	}
	proved = proved && r.step(ctx, "proof of "+today.String(), 0, func() error {
		from, _ := proven(today)
		return p.prove(ctx, from, until)
	}) && r.proveAgain(ctx, p, first, today)
	if once { // else it was told
		r.step(ctx, "proof", 0, p.damage)
	}
	r.keepEntries(ctx, unsealed, today)
	return proved
}

// proveAgain proves the days before the first that this run has proved which were proved
// once, as a failover may have lost what that has mended. The cursor is the first of them, for the
// next run.
func (r *run) proveAgain(ctx context.Context, p *proof, first, today board.Date) bool {
	day := first
	read := r.step(ctx, "days that were proved once", 0, func() error {
		text, err := r.State.Cursor(ctx, state.CursorProof)
		if err != nil || text == "" {
			return err
		}
		day, err = board.ParseDate(text)
		return err
	})
	for day = max(day, today-readable); read && day <= first; day++ {
		read = r.step(ctx, "second proof of "+day.String(), 0, func() error {
			if from, until := proven(day); day < first {
				if err := p.prove(ctx, from, until); err != nil {
					return err
				}
			}
			return r.State.SetCursor(ctx, state.CursorProof, min(day+1, r.first).String())
		})
	}
	return read
}

// unsealed returns the days before today, and after the first that is sealed, which are
// not; before the first seal, all whose entries can be there. It says whether there is a seal.
func (r *run) unsealed(ctx context.Context, today board.Date) (days []board.Date, some bool, err error) {
	sealed, err := r.Journal.SealedDays(ctx, 1, today-1)
	if err != nil {
		return nil, false, err
	}
	begun, err := r.State.Begun(ctx)
	if err != nil {
		return nil, false, err
	}
	first := max(today-readable, journal.DayOf(begun))
	if some = len(sealed) > 0; some {
		first = sealed[0].Day
	}
	for day := first; day < today; day++ {
		if len(sealed) > 0 && sealed[0].Day == day {
			sealed = sealed[1:]
			continue
		}
		days = append(days, day)
	}
	return days, some, nil
}

// seal seals a day, without the rows of users who were erased after them.
func (r *run) seal(ctx context.Context, p *proof, day board.Date) bool {
	l := ledger.New(r.Rules, r.Calendar)
	done := r.step(ctx, "seal of "+day.String(), 0, func() error {
		for {
			_, err := r.Journal.Seal(ctx, day, func(arrival board.Moment, row ledger.Row) (ledger.Row, bool) {
				keep := p.keeps(arrival, &row)
				return l.Compact(row), keep
			})
			if err != nil {
				return err
			}
			if more, err := p.erasedMeanwhile(ctx); err != nil || !more {
				return err
			}
		}
	})
	if done {
		r.result.Sealed++
	}
	return done
}

// sealMonths returns for how many months seals are kept: as many as the options say, and
// those of what is reopened, and of the month before, in which its rows began to arrive,
// until it is final again.
func (r *run) sealMonths(ctx context.Context, now board.MonthOf) (int, error) {
	months := cmp.Or(r.JournalMonths, journalMonths)
	set, err := r.closedSet(ctx)
	if err != nil {
		return 0, err
	}
	for _, live := range slices.Concat(set.AllReopening(), set.AllReopened()) {
		months = max(months, int(now-live.Period.First().Month())+1)
	}
	return months, nil
}

// keepEntries deletes seals that have been kept for long enough, renews the entries of
// days that were not sealed for long, and tells what the journal's steps came to.
func (r *run) keepEntries(ctx context.Context, unsealed []board.Date, today board.Date) {
	r.step(ctx, "seals to expire", 0, func() (err error) {
		months, err := r.sealMonths(ctx, today.Month())
		if err == nil {
			r.result.SealsExpired, err = r.Journal.Expire(ctx, today, months)
		}
		return err
	})
	for _, day := range unsealed {
		if today-day > renewFrom {
			r.step(ctx, "entries of "+day.String(), 0, func() error {
				_, err := r.Journal.Renew(ctx, day, r.Now)
				return err
			})
		}
	}
	done := &r.result
	done.UnsealedDays = len(unsealed)
	if len(unsealed) >= manyUnsealed {
		r.Log.WarnContext(ctx, "days of the journal are not sealed", "days", len(unsealed), "first", unsealed[0].String())
	}
	r.Log.InfoContext(metrics.Counted(ctx), "journal", "days", done.Proof.Days, "rows", done.Proof.Rows,
		"users", done.Proof.Users, "mended", done.Proof.Mended, "seconds", done.Proof.Seconds, "sealed", done.Sealed,
		"expired", done.SealsExpired, "unsealed", len(unsealed))
}
