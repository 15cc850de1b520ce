package night

import (
	"context"
	"fmt"
	"time"
)

// Run makes ticks until nothing is left that only waits: what is due takes all of its steps. If
// the time is not enough to wait for the next one, the result is short, and another run goes on.
func Run(ctx context.Context, o Options) (all Result, err error) {
	o.ByHand = true
	all.Moved = []Moved{}
	for {
		r, err := Tick(ctx, o)
		all.Add(r)
		next, waits := all.next()
		if err != nil || all.Short || !waits {
			return all, err
		}
		if o.Waits != nil {
			o.Waits(next, all.Left)
		}
		wait := next.Sub(o.Real()) + time.Millisecond // moments are whole ones
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait+2*margin {
			all.Short = true
			return all, nil
		}
		select {
		case <-ctx.Done():
			return all, fmt.Errorf("night: %w", context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}
