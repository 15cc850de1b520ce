package app

import (
	"context"
	"errors"
	"time"

	"laurel/shared/board"
	"laurel/shared/metrics"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// Scheduled says what a run of the schedule came to.
type Scheduled struct {
	Recovered
	Tonight
}

// Tonight says what a look at the night came to.
type Tonight struct {
	Night   *nightly.Result `json:"night,omitempty"` // nil: none was run
	Overdue time.Duration   `json:"-"`               // for how long the oldest night that is not complete has been due
}

// leastTime is what a function has to have left to begin a night.
const leastTime = 30 * time.Second

// Schedule does what has to be done every few minutes: what is pending, and the nightly run
// when the day has turned in the forum's zone. An error of one does not stop the other.
func (a *App) Schedule(ctx context.Context, at time.Time) (Scheduled, error) {
	recovered, err := a.Recover(ctx, at)
	tonight, failed := a.NightIfDue(ctx, at)
	return Scheduled{recovered, tonight}, errors.Join(err, failed)
}

// NightIfDue runs today's night if it is due and no other call is running it. One that was not
// complete is run again by a later call: the next, or, the more often it failed, one up to 40
// minutes later. It begins none while Redis is not filled.
func (a *App) NightIfDue(ctx context.Context, at time.Time) (done Tonight, err error) {
	now := board.MomentOf(at)
	nights, err := a.nights(ctx)
	if err != nil {
		return done, err
	}
	if nights.Due(a.Calendar, now) {
		var failed error
		done.Night, failed = a.nightAlone(ctx, at)
		nights, err = a.nights(context.WithoutCancel(ctx))
		err = errors.Join(failed, err)
	}
	done.Overdue = nights.Overdue(a.Calendar, now)
	a.Log.InfoContext(metrics.Counted(ctx), "schedule", "night", done.Night != nil, "tries", nights.Tries,
		"overdue", done.Overdue.Hours())
	return done, err
}

// nightAlone runs a night, unless another call runs it or has just done so, or Redis is not
// filled.
func (a *App) nightAlone(ctx context.Context, at time.Time) (*nightly.Result, error) {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < leastTime {
		return nil, nil //nolint:nilnil // no run
	}
	within, release, err := a.hold(ctx, "nightly")
	if errors.Is(err, state.ErrHeld) {
		a.Log.InfoContext(ctx, "a nightly run is under way")
		return nil, nil //nolint:nilnil // no run
	}
	if err != nil {
		return nil, err
	}
	defer release()
	if err := a.filled(within); errors.Is(err, redisstore.ErrStamp) && !errors.Is(err, ErrOther) {
		a.Log.InfoContext(ctx, "the nightly run waits until Redis is filled")
		return nil, nil //nolint:nilnil // no run
	} else if err != nil {
		return nil, err
	}
	due := false
	err = a.changeNights(within, func(n nightly.Nights) nightly.Nights {
		if due = n.Due(a.Calendar, board.MomentOf(at)); due {
			n = n.Try(a.Calendar, board.MomentOf(at))
		}
		return n
	})
	if err != nil || !due {
		return nil, err
	}
	result, err := a.Night(within, a.Nightly(at))
	return &result, err
}

// filled returns an error if Redis does not have what the table describes.
func (a *App) filled(ctx context.Context) error {
	if a.Kept.Stamps == nil {
		return nil
	}
	if err := a.Kept.Stamps.Fresh(ctx); err != nil {
		return err
	}
	return a.Store.CheckStamp(ctx)
}

func (a *App) nights(ctx context.Context) (nightly.Nights, error) {
	text, err := a.Kept.State.Cursor(ctx, state.CursorNights)
	return nightly.ParseNights(text), err
}

func (a *App) changeNights(ctx context.Context, change func(nightly.Nights) nightly.Nights) error {
	return a.Kept.State.ChangeCursor(ctx, state.CursorNights, func(text string) (string, error) {
		was := nightly.ParseNights(text)
		if n := change(was); n != was {
			return n.String(), nil
		}
		return text, nil
	})
}
