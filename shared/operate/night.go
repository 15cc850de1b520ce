package operate

import (
	"context"
	"time"

	"laurel/shared/night"
)

// Archive are the arguments of "archive", a nightly run. What it finds are Waitings; its result
// is a night.Result, or with DryRun a Due.
type Archive struct {
	DryRun bool `json:"dryRun,omitempty"` // show what is due, and change nothing
}

// Due is what a nightly run would do.
type Due struct {
	At time.Time `json:"at"`
	night.Plan
}

// A Waiting is told when a nightly run waits for the next step.
type Waiting struct {
	Until time.Time    `json:"until"`
	Left  []night.Left `json:"left"` // what waits, and what is left for other reasons
}

// nightCursor is a nightly run in slices.
type nightCursor struct {
	Result night.Result `json:"result,omitzero"`
}

// archive makes a nightly run, which takes all the time that a function has.
func archive(ctx context.Context, s *slice, a Archive, c *nightCursor) (any, error) {
	o := s.Nights()
	if a.DryRun {
		plan, err := night.Look(ctx, o)
		return Due{s.now.In(s.Calendar.Zone()).Truncate(time.Second), plan}, err
	}
	o.Waits = func(until time.Time, left []night.Left) { s.find(Waiting{until, left}) }
	result, err := night.Run(ctx, o)
	stuck := result.Short && len(result.Moved) == 0
	c.Result.Add(result)
	switch {
	case err != nil || !result.Short || stuck:
		return c.Result, err
	default:
		return nil, errPaused
	}
}
