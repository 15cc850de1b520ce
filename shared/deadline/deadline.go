// Package deadline keeps some of a function's time for its answer.
//
// Lambda ends a function at its deadline, and whoever asked learns nothing. What
// waits for a store until then gives up too late to say so: it has to give up a
// little earlier.
package deadline

import (
	"context"
	"time"
)

// Reserve is what is kept for the answer, of a function that has so much: never
// more than a quarter of what is left.
const Reserve = 500 * time.Millisecond

// Early returns a context that ends before the given one's deadline, by Reserve. One
// without a deadline, as outside Lambda, has none afterwards either.
func Early(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(Reserve, time.Until(end)/4)))
}
