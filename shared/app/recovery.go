package app

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"laurel/shared/board"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

const (
	replayEvery = time.Hour
	onItsWay    = 10 * time.Minute // what arrives may be in the journal so much later
	inFlight    = time.Minute      // a conflict may still take back what has just arrived
	replayMost  = 26 * time.Hour   // what is older is for the night's proof

	recoverReserve = 10 * time.Second // to end orderly before the deadline
)

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
	Mended   *recovery.Mended   `json:"mended,omitempty"`
	Replayed *recovery.Replayed `json:"replayed,omitempty"`
	Held     bool               `json:"held,omitempty"` // another run does it
	Left     bool               `json:"left,omitempty"` // the time was over; the next run goes on
}

// Recover fills Redis if it was emptied, every hour mends what is kept in the table and
// replays what has arrived since the last replay, which makes good what a failover has
// lost, records what is pending, and carries out void targets that wait. An error of one
// does not stop the others. Only one run does it at a time; what it has no time for is left
// to the next.
func (a *App) Recover(ctx context.Context, at time.Time) (r Recovered, err error) {
	if a.Kept.Stamps == nil {
		return r, nil
	}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, end.Add(-recoverReserve))
		defer cancel()
	}
	within, release, err := a.hold(ctx, "recovery")
	if errors.Is(err, state.ErrHeld) {
		a.Log.InfoContext(ctx, "recovery runs already")
		return Recovered{Held: true}, nil
	}
	if err != nil {
		return r, err
	}
	defer release()
	r, err = a.recover(within, at)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		a.Log.WarnContext(ctx, "recovery goes on in the next run", "cause", err.Error())
		r.Left = true
		return r, nil
	}
	return r, err
}

// hold takes a lease for one run at a time. Where there is no other process, that of one that
// was killed is taken over.
func (a *App) hold(ctx context.Context, name string) (within context.Context, release func(), err error) {
	holder := rand.Text()
	if a.alone {
		holder = "alone"
	}
	return a.Kept.State.HoldAs(ctx, name, holder, 0)
}

func (a *App) recover(ctx context.Context, at time.Time) (r Recovered, err error) {
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
	errs = append(errs, a.mend(ctx, o, &r))
	r.Admitted, err = recovery.Admit(ctx, a.Store, o)
	errs = append(errs, err)
	r.Voided, err = a.voidPass(ctx)
	errs = append(errs, err)
	a.Log.InfoContext(ctx, "recovery", "rebuilt", needed, "admitted", r.Admitted)
	return r, errors.Join(errs...)
}

// voidPass carries out the void targets that wait, from where the last run was.
func (a *App) voidPass(ctx context.Context) (undone int64, err error) {
	from, err := a.Kept.State.Cursor(ctx, state.CursorVoids)
	if err != nil {
		return 0, err
	}
	done, err := a.Store.VoidPassFrom(ctx, from, func(next string) error {
		return a.Kept.State.SetCursor(context.WithoutCancel(ctx), state.CursorVoids, next)
	})
	return done.Undone, err
}

// mend makes good what a failover has lost, if that was last done an hour ago: what is kept in
// the table, and what has arrived since then, but for what requests may still be recording.
func (a *App) mend(ctx context.Context, o recovery.Options, r *Recovered) error {
	text, err := a.Kept.State.Cursor(ctx, state.CursorReplay)
	if err != nil {
		return err
	}
	from, until := o.Now.Add(-replayMost), o.Now.Add(-inFlight)
	if last, err := strconv.ParseInt(text, 10, 64); err == nil {
		if last := board.Moment(last); last > until.Add(-replayEvery) && last <= until {
			return nil
		}
		from = max(from, board.Moment(last).Add(-onItsWay))
	}
	begun, err := a.Kept.State.Begun(ctx)
	if err == nil && o.Now < begun { // the clock was ahead, or was set back
		err = a.Kept.State.Begin(ctx)
	}
	if err != nil {
		return err
	}
	mended, err := recovery.Mend(ctx, o)
	if r.Mended = &mended; err != nil {
		return err
	}
	done, err := recovery.Replay(ctx, o, from, until)
	if errors.Is(err, redisstore.ErrFull) {
		a.Log.WarnContext(ctx, "the replay waits for room in the cache", "cause", err.Error()) // the night's proof does it
		return nil
	}
	if r.Replayed = &done; err == nil {
		err = a.Kept.State.SetCursor(ctx, state.CursorReplay, strconv.FormatInt(int64(until), 10))
	}
	return err
}
