package night

import (
	"context"
	"slices"

	"laurel/shared/board"
	"laurel/shared/records"
)

// A Plan is which periods would take which step now, and what is left.
type Plan struct {
	Steps   []Moved          `json:"steps"`
	Left    []Left           `json:"left"`
	Imports []records.Import `json:"imports,omitempty"`
}

// Look returns what a night would do now. It changes nothing.
func Look(ctx context.Context, o Options) (Plan, error) {
	o.ByHand = true
	head, err := o.Records.Peek(ctx)
	if err != nil || head == nil {
		return Plan{Steps: []Moved{}, Left: []Left{}}, err
	}
	planned, r := o.schedule(head).Plan(head), Result{Moved: []Moved{}, Left: []Left{}}
	for _, step := range []struct {
		event   board.PeriodEvent
		periods []board.Period
	}{
		{board.EventRemove, planned.Removing}, {board.EventMake, planned.Making}, {board.EventClose, planned.Closing},
	} {
		for _, p := range step.periods {
			r.moved(p, step.event, nil)
		}
	}
	for _, l := range planned.Left {
		r.leave(l)
	}
	return Plan{r.Moved, r.Left, slices.Clone(head.Imports)}, nil
}
