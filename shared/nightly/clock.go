package nightly

import (
	"context"
	"time"
)

const (
	// margin is the time before its deadline in which a run starts no step. A running
	// step is cancelled after half of it, which leaves the other half for the answer.
	margin = 10 * time.Second
	// rateLen is the smallest number of entries of a board whose speed is measured.
	rateLen = 1_000
)

// clock measures the time that is left for a run.
type clock struct {
	deadline time.Time     // no step starts after it; zero: none
	entry    time.Duration // time to move one, of the last measured board
	over     bool
}

// start returns the context for the run's steps.
func (c *clock) start(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	c.deadline = deadline.Add(-margin)
	return context.WithDeadline(ctx, deadline.Add(-margin/2))
}

// fits reports whether there is time to move so many entries.
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
