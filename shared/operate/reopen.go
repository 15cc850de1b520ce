package operate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/night"
)

// Reopen makes a final period live again, in one slice. Its object is a night.Reopened.
type Reopen struct {
	Period string `arg:"" json:"period"`
	Apply  bool   `json:"apply,omitempty"`
	period board.Period
}

func (r *Reopen) check() error {
	if err := r.period.UnmarshalText([]byte(r.Period)); err != nil || r.period.Window() == board.All {
		return Usage("%q is not a period such as 2026-11-20, 2026-W47, 2026-11 or 2026", r.Period)
	}
	return nil
}

func (r *Reopen) do(ctx context.Context, s *slice) (Result, error) {
	told, err := night.Reopen(ctx, s.Nights(), r.period, r.Apply)
	switch {
	case errors.Is(err, night.ErrNotFinal):
		err = fmt.Errorf("%s is not final: it is live, or on its way", r.Period)
	case errors.Is(err, night.ErrLedgers):
		err = fmt.Errorf("%w; the final boards stay as they are", err)
	}
	return ended(told, reopened, err)
}

// namedDifferences is the number of differences that are shown.
const namedDifferences = 20

// reopened lists the first differences, and says what was done.
func reopened(r night.Reopened) string {
	if r.Was {
		return r.Period.String() + " is reopened already\n"
	}
	var b strings.Builder
	for _, d := range r.Differences[:min(len(r.Differences), namedDifferences)] {
		user := d.User
		if user == "" {
			user = "somebody who was erased"
		}
		fmt.Fprintf(&b, "%s: %s has %s, would have %s: %s\n", d.Board, user, importer.Thousands(d.Final),
			importer.Thousands(d.Ledger), d.Why)
	}
	if more := len(r.Differences) - namedDifferences; more > 0 {
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	what := "would be live again; --apply does it"
	if r.Applied {
		what = "is live again until the next nightly run"
	}
	fmt.Fprintf(&b, "%s: %s; %s\n", r.Period, differences(r.Total()), what)
	return b.String()
}
