package nightly

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

const (
	// preparations is how often a run makes good what is lost, if something is each time, before
	// it leaves everything.
	preparations = 3
	// committed is the time after which a request that was under way when a period was closed
	// has committed, or has taken back what it has put into the journal.
	committed = time.Second
)

// errLost is the error of a period of which a failover has lost something in this run. It stays
// closed, and the next run opens it, makes that good and closes it again.
var errLost = errors.New("nightly: a failover has lost something of it, or of what was accepted last")

// prepare makes good what a failover has lost, before anything is closed. It does so again until
// nothing was missing since the run's mark was put: what loses any of it loses the mark then.
func (r *run) prepare(ctx context.Context) {
	for n := 1; n <= preparations; n++ {
		missing := r.makeGood(ctx, n == 1)
		if r.unproved || !missing || r.Journal == nil {
			return
		}
	}
	r.unproved = true
}

// makeGood makes good what a failover has lost, and says whether there was something. What the
// proof counts is that of the first time, but for what it has mended.
func (r *run) makeGood(ctx context.Context, first bool) (missing bool) {
	was := r.result.Proof
	if r.Mend != nil || r.Journal != nil {
		r.unproved = !r.step(ctx, "lost writes", 0, func() (err error) {
			missing, err = r.mend(ctx, first)
			return err
		})
	}
	if r.Journal != nil {
		r.unproved = !r.journal(ctx, first) || r.unproved
	}
	if r.Voids != nil {
		r.unproved = !r.step(ctx, "voids", 0, func() error {
			undone, err := r.voidAgain(ctx)
			missing = missing || undone
			return err
		}) || r.unproved
	}
	now := r.result.Proof
	missing = missing || now.Mended > was.Mended
	if !first {
		r.result.Proof = was
		r.result.Proof.Mended, r.result.Proof.Seconds = now.Mended, now.Seconds
	}
	return missing
}

// mend opens what was not moved, puts the run's mark, and makes good what the table has.
func (r *run) mend(ctx context.Context, first bool) (missing bool, err error) {
	if first && r.Open != nil {
		err = r.Open(ctx)
	}
	if err == nil && r.Journal != nil {
		mark := fmt.Sprintf("%x", redisstore.NewVersion())
		if err = r.Live.PutRun(ctx, mark); err == nil {
			r.mark = mark
		}
	}
	if err == nil && r.Mend != nil {
		missing, err = r.Mend(ctx)
	}
	return missing, err
}

// whole returns errLost unless Redis has all of a closed period: what was there when the run's
// mark was put, and what was accepted since, or is too young for the proof.
func (r *run) whole(ctx context.Context, name string, p board.Period) error {
	if r.Journal == nil {
		return nil
	}
	if err := r.still(ctx, name, p); err != nil {
		return err
	}
	if r.Lost != nil {
		if lost, err := r.Lost(ctx); err != nil {
			return err
		} else if lost {
			return errLost
		}
	}
	lacking, err := r.lacking(ctx, name, p)
	if err != nil || !lacking {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(committed):
	}
	if lacking, err = r.lacking(ctx, name, p); err == nil && lacking {
		err = errLost
	}
	return err
}

// lacking says whether the pages lack something of what arrived last.
func (r *run) lacking(ctx context.Context, name string, p board.Period) (bool, error) {
	erased, err := r.State.Erased(ctx)
	if err != nil {
		return false, err
	}
	var rows []ledger.Row
	until := r.Now.Add(time.Since(r.began) + inFlight)
	err = r.Journal.Read(ctx, r.Now.Add(-inFlight), until, func(arrival board.Moment, more []ledger.Row) error {
		for _, row := range more {
			row.Arrived = arrival
			if row.Changed &= ledger.Own | ledger.Before; row.Changed != 0 && ledger.Erased(erased).Keep(&row) {
				rows = append(rows, row)
			}
		}
		return nil
	})
	if err != nil || len(rows) == 0 {
		return false, err
	}
	var users []pages.UserRows
	at := redisstore.LivePeriod{Board: name, Period: p}
	check := func() (bool, error) {
		lacking, err := r.Merger.UnmergedIn(ctx, users, at)
		users = users[:0]
		return len(lacking) > 0, err
	}
	for user := range pages.ByUser(rows) {
		if users = append(users, user); len(users) == proofUsers {
			if lacking, err := check(); err != nil || lacking {
				return lacking, err
			}
		}
	}
	return check()
}

// still returns errLost unless every shard has the run's mark, and a period closed: what was read
// of it is what was checked.
func (r *run) still(ctx context.Context, name string, p board.Period) error {
	if r.Journal == nil {
		return nil
	}
	sets, err := r.Live.ClosedSets(ctx)
	if err != nil {
		return err
	}
	for _, set := range sets {
		if !set.Periods.Has(name, p) {
			return errLost
		}
	}
	there, err := r.Live.HasRun(ctx, r.mark)
	if err == nil && !there {
		err = errLost
	}
	return err
}
