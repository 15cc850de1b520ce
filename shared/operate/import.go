package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
)

// Import is a part of an import, in one slice. Its object is an Imported.
type Import importer.Part

// Imported is what came of a part of an import.
type Imported struct {
	Statuses []ledger.Status         `json:"statuses,omitempty"` // of activities; "" where Failures has why
	Failures map[int]*OperationError `json:"failures,omitempty"`
	Articles []importer.Creation     `json:"articles,omitempty"`
	Imports  []records.Import        `json:"imports,omitempty"`
	Rules    json.RawMessage         `json:"rules,omitempty"`
	Zone     string                  `json:"zone,omitempty"`
}

func (p *Import) do(ctx context.Context, s *slice) (Result, error) {
	done, err := importer.Here(s.Recorder, s.People)(ctx, importer.Part(*p))
	l := Imported{Failures: map[int]*OperationError{}, Articles: done.Articles, Imports: done.Imports}
	for i, r := range done.Results {
		if l.Statuses = append(l.Statuses, r.Status); r.Err != nil {
			l.Statuses[i], l.Failures[i] = "", failureOf(r.Err)
		}
	}
	if p.Forum {
		l.Rules, l.Zone = s.Rules.JSON(), s.Calendar.Zone().String()
	}
	return Result{Object: l}, err
}

// Importer returns what imports into the stores of an App.
func Importer(a *app.App) *importer.Importer {
	return &importer.Importer{
		Stores: importer.Here(a.Recorder, a.People), Rules: a.Rules, Calendar: a.Calendar, Now: board.MomentOf(a.Clock()),
	}
}

// Importer returns what imports into stores that somebody else reaches, who does slices.
func (do Slicer) Importer(ctx context.Context) (*importer.Importer, error) {
	l, err := do.part(ctx, importer.Part{Forum: true})
	if err != nil {
		return nil, err
	}
	rules, err := activity.ParseRules(l.Rules)
	zone, zoneErr := time.LoadLocation(l.Zone)
	if err := errors.Join(err, zoneErr); err != nil {
		return nil, err
	}
	return &importer.Importer{
		Stores: do.stores, Rules: rules, Calendar: board.NewCalendar(zone), Now: board.MomentOf(time.Now()),
	}, nil
}

func (do Slicer) part(ctx context.Context, p importer.Part) (l Imported, err error) {
	err = do.Object(ctx, (*Import)(&p), &l)
	return l, err
}

// stores has a part done.
func (do Slicer) stores(ctx context.Context, p importer.Part) (importer.Done, error) {
	if len(p.Activities) > 0 {
		return importer.Done{Results: do.merge(ctx, p)}, nil
	}
	l, err := do.part(ctx, p)
	if err == nil && len(l.Articles) != len(p.Articles) {
		err = fmt.Errorf("operate: %d outcomes for %d articles", len(l.Articles), len(p.Articles))
	}
	return importer.Done{Articles: l.Articles, Imports: l.Imports}, err
}

// mergedAtOnce is how many activities one slice merges: its request and its answer have limits.
const mergedAtOnce = 2_000

// merge merges activities of history, a slice at a time, until one fails.
func (do Slicer) merge(ctx context.Context, p importer.Part) (results []record.Result) {
	var failed error
	for some := range slices.Chunk(p.Activities, mergedAtOnce) {
		var l Imported
		if failed == nil {
			l, failed = do.part(ctx, importer.Part{Activities: some, Now: p.Now})
		}
		if failed == nil && len(l.Statuses) != len(some) {
			failed = fmt.Errorf("operate: %d receipts for %d activities", len(l.Statuses), len(some))
		}
		for i := range some {
			one := record.Result{Err: failed}
			if failed == nil {
				one.Status = l.Statuses[i]
			}
			if failure := l.Failures[i]; failure != nil {
				one.Err = failure
			}
			results = append(results, one)
		}
	}
	return results
}
