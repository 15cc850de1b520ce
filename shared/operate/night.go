package operate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel/shared/board"
	"laurel/shared/nightly"
	"laurel/shared/state"
)

// Archive are the arguments of "archive", a nightly run: its result is a nightly.Result, or
// with DryRun a Due.
type Archive struct {
	DryRun bool `json:"dryRun,omitempty"` // show what is due, and change nothing
}

// Due is what a nightly run would move.
type Due struct {
	At      time.Time      `json:"at"`
	Periods []DuePeriod    `json:"periods"`
	Months  []string       `json:"months"` // whose pages are removed
	Imports []state.Import `json:"imports,omitempty"`
}

// DuePeriod is a board that is due.
type DuePeriod struct {
	Board   string       `json:"board"`
	Window  board.Window `json:"window"`
	Period  board.Period `json:"period"`
	Entries int64        `json:"entries"`
}

// nightCursor is a nightly run in slices: each is a run of the same time.
type nightCursor struct {
	At     time.Time      `json:"at,omitzero"`
	Done   int64          `json:"done,omitempty"` // entries
	Result nightly.Result `json:"result,omitzero"`
}

// night makes a nightly run, which takes all the time that a function has.
func night(ctx context.Context, s *slice, a Archive, c *nightCursor) (any, error) {
	if c.At.IsZero() {
		c.At = s.now
	}
	if err := s.fresh(ctx); err != nil {
		return nil, err
	}
	o := s.Nightly(c.At)
	plan, err := nightly.Due(ctx, o)
	if err != nil {
		return nil, err
	}
	if a.DryRun {
		return dueOf(plan, c.At.In(s.Calendar.Zone())), nil
	}
	total := c.Done
	for _, p := range plan.Periods {
		total += p.Total
	}
	counter := &counter{s: s, before: c.Done, total: total}
	o.Progress = counter.tell
	result, err := s.Night(ctx, o)
	stuck := len(result.Moved) == 0 && slices.Equal(result.Left, c.Result.Left)
	c.Result.Add(result)
	c.Done = counter.before + counter.most
	switch {
	case err != nil || !result.Short:
		return c.Result, err
	case stuck:
		return c.Result, fmt.Errorf("%w: %s", ErrSlow, strings.Join(result.Left, ", "))
	default:
		return nil, errPaused
	}
}

// fresh reads the stamp of the table again: every command but those that fill Redis needs
// one that is whole.
func (s *slice) fresh(ctx context.Context) error {
	if s.Kept.Stamps == nil {
		return nil
	}
	return s.Kept.Stamps.Fresh(ctx)
}

// counter adds up how far the boards have been read. A large one is read more
// than once, which does not take the bar back.
type counter struct {
	s                   *slice
	name                string
	period              board.Period
	before, most, total int64
}

func (c *counter) tell(p nightly.Progress) {
	if p.Board != c.name || p.Period != c.period {
		c.before += c.most
		c.name, c.period, c.most = p.Board, p.Period, 0
	}
	c.most = max(c.most, p.Done)
	c.s.progress(c.before+c.most, c.total, "entries")
}

func dueOf(plan nightly.Plan, at time.Time) Due {
	d := Due{
		At: at.Truncate(time.Second), Periods: make([]DuePeriod, len(plan.Periods)), Months: plan.Months(),
		Imports: plan.Imports,
	}
	for i, p := range plan.Periods {
		d.Periods[i] = DuePeriod{p.Board, p.Period.Window(), p.Period, p.Total}
	}
	return d
}
