package gateway

import (
	"context"
	"time"
)

// Reserve is how much of a function's time is kept for its answer: never more than a
// quarter of what is left.
const Reserve = 500 * time.Millisecond

// Early returns a context that ends before the given one's deadline, by Reserve.
// Lambda ends a function at its deadline, and the caller learns nothing; what waits
// for a store until then gives up too late to say so. A context without a deadline,
// as outside Lambda, has none afterwards either.
func Early(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(Reserve, time.Until(end)/4)))
}
