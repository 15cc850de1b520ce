package app

import (
	"context"
	"errors"
	"time"

	"laurel/shared/board"
	"laurel/shared/recovery"
)

// replayed is how much of the journal is replayed every hour: the hour, and what was on
// its way when the last replay read.
const replayed = time.Hour + 10*time.Minute

// recoverEvery is how often recovery runs; the first run of an hour replays the one before.
const recoverEvery = 5 * time.Minute

// Recovery returns what fills Redis again with this configuration, at a time. There has to
// be a table.
func (a *App) Recovery(at time.Time) recovery.Options {
	return recovery.Options{
		Redis: a.Store.Redis().Client(), Shards: a.Shards, Ledger: a.Ledger, State: a.Kept.State,
		Journal: a.Kept.Journal, Archive: a.Kept.Archive, Now: board.MomentOf(at), Log: a.Log,
	}
}

// Recovered says what a run of the recovery came to.
type Recovered struct {
	Rebuilt  *recovery.Result   `json:"rebuilt,omitempty"`
	Admitted int64              `json:"admitted"` // activities that were pending
	Voided   int64              `json:"voided"`   // entries on targets that are void
	Replayed *recovery.Replayed `json:"replayed,omitempty"`
}

// Recover fills Redis if it was emptied, records what is pending, and in the first run of
// an hour replays the hour before, which makes good what a failover has lost. Void targets
// that wait are carried out. An error of one does not stop the others.
func (a *App) Recover(ctx context.Context, at time.Time) (r Recovered, err error) {
	if a.Kept.Stamps == nil {
		return r, nil
	}
	o := a.Recovery(at)
	needed, why, err := recovery.Needed(ctx, o)
	if err != nil {
		return r, err
	}
	if needed {
		a.Log.WarnContext(ctx, "Redis is being filled", "cause", why)
		rebuilt, err := recovery.Rebuild(ctx, o)
		if r.Rebuilt = &rebuilt; err != nil {
			return r, err
		}
	}
	if err := a.Kept.Stamps.Fresh(ctx); err != nil {
		return r, err
	}
	var errs []error
	r.Admitted, err = recovery.Admit(ctx, a.Store, o)
	errs = append(errs, err)
	voided, err := a.Store.VoidPass(ctx)
	r.Voided, errs = voided.Undone, append(errs, err)
	if at.Sub(at.Truncate(time.Hour)) < recoverEvery {
		again, err := recovery.Replay(ctx, o, board.MomentOf(at.Add(-replayed)), board.MomentOf(at))
		r.Replayed, errs = &again, append(errs, err)
	}
	a.Log.InfoContext(ctx, "recovery", "rebuilt", needed, "admitted", r.Admitted)
	return r, errors.Join(errs...)
}
