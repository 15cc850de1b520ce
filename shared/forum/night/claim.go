package night

import (
	"context"
	"errors"
	"sync"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/codec"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

const (
	claimFor   = time.Minute  // a run that was killed keeps others from making boards
	claimEvery = claimFor / 4 // a run that makes boards prolongs its claim
	claimName  = "make"       // of the cursor
)

// errTaken is the cause of an end: the claim of this run was over, and another run makes the boards.
var errTaken = errors.New("night: another run makes the boards")

// A claim is held by the one run that makes boards, as each reads all ledgers of a month. Two at once would do no
// harm: a stored board is complete, and the head takes a step once.
type claim struct {
	*tick
	cursor *items.Cursor[struct{}]
}

// claimed does the work if no other run makes boards; else it returns until when it may not.
func (t *tick) claimed(ctx context.Context, work func(context.Context)) (busy board.Moment, err error) {
	cursor, err := items.OpenCursor[struct{}](ctx, t.Items, claimName)
	if err != nil && !errors.Is(err, codec.ErrDamaged) {
		return 0, err
	}
	if cursor.Claimed > t.real() {
		return cursor.Claimed, nil
	}
	c := &claim{t, cursor}
	switch err := c.prolong(ctx); {
	case errors.Is(err, table.ErrConflict):
		return t.real().Add(claimFor), nil
	case err != nil:
		return 0, err
	}
	within, end := context.WithCancelCause(ctx)
	var prolonging sync.WaitGroup
	prolonging.Go(func() { c.keep(ctx, within, end) })
	work(within)
	end(nil)
	prolonging.Wait()
	return 0, c.release(ctx)
}

// keep prolongs the claim until the work ends, and ends it where another run has the claim.
func (c *claim) keep(ctx, within context.Context, end context.CancelCauseFunc) {
	ticks := time.NewTicker(claimEvery)
	defer ticks.Stop()
	for {
		select {
		case <-within.Done():
			return
		case <-ticks.C:
			if err := c.prolong(ctx); errors.Is(err, table.ErrConflict) {
				end(errTaken)
			}
		}
	}
}

func (c *claim) prolong(ctx context.Context) error {
	c.cursor.Claimed = c.real().Add(claimFor)
	return c.cursor.Save(ctx)
}

// release lets the next run begin at once.
func (c *claim) release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), projection.Wait)
	defer cancel()
	c.cursor.Claimed = 0
	if err := c.cursor.SaveUnlessTaken(ctx); !errors.Is(err, table.ErrUnavailable) {
		return err
	}
	return nil // the claim ends by itself
}
