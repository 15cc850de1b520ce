package nightly

import (
	"context"
	"time"
)

const (
	// margin is how long before its deadline a run begins nothing any more; what
	// is under way is cut off after half of it, so that the rest is left for the
	// answer.
	margin = 10 * time.Second
	// rateLen is how many entries a board has at least for its speed to be a
	// measure.
	rateLen = 1_000
)

// clock knows how much of the time of a run is left.
type clock struct {
	deadline time.Time     // when nothing is begun any more; zero: never
	entry    time.Duration // for moving one, as the last board of some size had it
	over     bool
}

// start returns the context to work in.
func (c *clock) start(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	c.deadline = deadline.Add(-margin)
	return context.WithDeadline(ctx, deadline.Add(-margin/2))
}

// fits reports whether so many entries can still be moved.
func (c *clock) fits(entries int64) bool {
	if c.deadline.IsZero() || c.over {
		return !c.over
	}
	left := time.Until(c.deadline)
	return left > 0 && c.entry*time.Duration(entries) <= left
}

func (c *clock) took(entries int64, d time.Duration) {
	if entries >= rateLen {
		c.entry = d / time.Duration(entries)
	}
}
