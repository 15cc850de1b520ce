package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"laurel/shared/board"
	"laurel/shared/nightly"
	"laurel/shared/recovery"
	"laurel/shared/state"
)

const (
	leaseOfPeriods = "periods"
	periodsAgain   = time.Second // while others hold the lease
	patience       = 5 * time.Minute

	// After a night has closed a period, a request that came before that may take this long
	// to take back what it has put into the journal: no more than the function's time.
	takenBack = 10 * time.Second
)

// Night moves what is due into the archive. It can run beside other nights, and waits for
// periods that are being reopened. If it leaves nothing, the night of its day is complete.
func (a *App) Night(ctx context.Context, o nightly.Options) (nightly.Result, error) {
	within, release, err := a.holdPeriods(ctx, "night", takenBack)
	if err != nil {
		return nightly.Result{}, err
	}
	defer release()
	result, err := nightly.Run(within, o)
	today := a.Calendar.Date(board.MomentOf(a.Clock()))
	return result, errors.Join(err, a.changeNights(context.WithoutCancel(ctx), func(n nightly.Nights) nightly.Nights {
		return n.After(today, result, err)
	}))
}

// Reopen makes a final period live again, or says what it would do. Only one runs at a
// time, and not beside a night.
func (a *App) Reopen(ctx context.Context, at time.Time, what recovery.Reopening) (recovery.Reopened, error) {
	if !what.Apply {
		return recovery.Reopen(ctx, a.Recovery(at), what)
	}
	within, release, err := a.holdPeriods(ctx, rand.Text(), 0)
	if err != nil {
		return recovery.Reopened{}, err
	}
	defer release()
	return recovery.Reopen(within, a.Recovery(at), what)
}

// holdPeriods takes the lease of what closes or opens periods, and waits for it. The error
// wraps state.ErrHeld if that takes too long.
func (a *App) holdPeriods(ctx context.Context, kind string, after time.Duration) (context.Context, func(), error) {
	end := time.Now().Add(patience)
	for attempt := 0; ; attempt++ {
		within, release, err := a.Kept.State.HoldAs(ctx, leaseOfPeriods, kind, after)
		if err == nil {
			return within, release, nil
		}
		if !errors.Is(err, state.ErrHeld) || time.Now().After(end) {
			return nil, nil, fmt.Errorf("app: %w", err)
		}
		if attempt == 0 {
			a.Log.InfoContext(ctx, "waiting for a nightly run or a reopening to end")
		}
		select {
		case <-ctx.Done():
			return nil, nil, fmt.Errorf("app: %w: %w", err, context.Cause(ctx))
		case <-time.After(periodsAgain):
		}
	}
}
