package nightly

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"laurel/shared/board"
	"laurel/shared/metrics"
	"laurel/shared/state"
)

// errImported is the error of a period that an import has marked since the run began.
var errImported = errors.New("nightly: an import of the month is in progress")

// Imports are the marks of imports in progress; state.Store has them.
type Imports interface {
	Imports(ctx context.Context) ([]state.Import, error)
}

func (o Options) marks(ctx context.Context) ([]state.Import, error) {
	if o.Imports == nil {
		return nil, nil
	}
	return o.Imports.Imports(ctx)
}

// held says whether imports keep a period from being closed: it has days of their months, or
// is a later month of a ledger with longer windows.
func (o Options) held(marks []state.Import, p board.Period) bool {
	ordered := p.Window() == board.Month && o.Rules.Keeps(board.Year, board.All)
	return slices.ContainsFunc(marks, func(i state.Import) bool {
		return i.Holds(p) || (ordered && len(i.Months) > 0 && i.Months[0].First() < p.First())
	})
}

// free returns an error if an import has marked a period by now.
func (r *run) free(ctx context.Context, p board.Period) error {
	marks, err := r.marks(ctx)
	if err == nil && r.held(marks, p) {
		return errImported
	}
	return err
}

// imported tells of the imports in progress, and returns for how many days the oldest is.
func (r *run) imported(ctx context.Context, marks []state.Import) (days int) {
	if r.result.Imports = marks; len(marks) == 0 {
		return 0
	}
	oldest := slices.MinFunc(marks, func(a, b state.Import) int { return cmp.Compare(a.Began, b.Began) })
	days = r.daysSince(oldest.Began)
	r.Log.WarnContext(metrics.Counted(ctx), "imports in progress", "imports", len(marks), "days", days)
	return days
}

// daysSince is how many whole days ago a moment was; 0 for none.
func (r *run) daysSince(at board.Moment) int {
	if at == 0 {
		return 0
	}
	return int(r.Now.Time().Sub(at.Time()) / (24 * time.Hour))
}
