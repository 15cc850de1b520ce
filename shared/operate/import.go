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
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/people"
	"laurel/shared/record"
	"laurel/shared/records"
)

// Import is a part of an import, in one slice: what package importer asks of stores. Each may be
// sent again. Its object is an Imported.
type Import struct {
	Activities []activity.Activity       `json:"activities,omitempty"`
	Now        board.Moment              `json:"now,omitempty"` // what is later than that is too early
	Articles   []article.Article         `json:"articles,omitempty"`
	Profiles   map[string]people.Profile `json:"profiles,omitempty"`
	Mark       *records.Import           `json:"mark,omitempty"` // months that are imported
	End        string                    `json:"end,omitempty"`  // the import whose mark is removed
	Imports    bool                      `json:"imports,omitempty"`
	Forum      bool                      `json:"forum,omitempty"`
}

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
	l := Imported{Failures: map[int]*OperationError{}}
	if len(p.Activities) > 0 {
		for i, r := range s.Recorder.Merge(ctx, p.Activities, p.Now) {
			if l.Statuses = append(l.Statuses, r.Status); r.Err != nil {
				l.Statuses[i], l.Failures[i] = "", failureOf(r.Err)
			}
		}
	}
	var err error
	if len(p.Articles) > 0 {
		l.Articles, err = importer.Creating{Articles: s.Recorder.Articles()}.Create(ctx, p.Articles)
	}
	if err == nil && len(p.Profiles) > 0 {
		err = s.People.Put(ctx, p.Profiles)
	}
	if m := p.Mark; err == nil && m != nil {
		err = s.Recorder.MarkImport(ctx, m.ID, m.Name, m.Since, m.Months...)
	}
	if err == nil && p.End != "" {
		err = s.Recorder.EndImport(ctx, p.End)
	}
	if err == nil && p.Imports {
		l.Imports, err = s.Recorder.Imports(ctx)
	}
	if p.Forum {
		l.Rules, l.Zone = s.Rules.JSON(), s.Calendar.Zone().String()
	}
	return Result{Object: l}, err
}

// Importer returns what imports into the stores of an App.
func Importer(a *app.App) *importer.Importer {
	return &importer.Importer{
		Store: a.Recorder, Articles: importer.Creating{Articles: a.Recorder.Articles()}, People: a.People, Marks: a.Recorder,
		Rules: a.Rules, Calendar: a.Calendar, Now: board.MomentOf(a.Clock()),
	}
}

// A Remote is the stores of an import that somebody else reaches, who does slices.
type Remote struct{ Slice Slicer }

// do has a part of an import done.
func (r Remote) do(ctx context.Context, part Import) (l Imported, err error) {
	err = r.Slice.Object(ctx, &part, &l)
	return l, err
}

// remoteRows is how many activities one slice merges: its request and its answer have limits.
const remoteRows = 2_000

// Merge merges activities of history, a slice at a time, until one fails.
func (r Remote) Merge(ctx context.Context, all []activity.Activity, now board.Moment) (results []record.Result) {
	var failed error
	for some := range slices.Chunk(all, remoteRows) {
		var l Imported
		if failed == nil {
			l, failed = r.do(ctx, Import{Activities: some, Now: now})
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

// Create creates articles.
func (r Remote) Create(ctx context.Context, all []article.Article) ([]importer.Creation, error) {
	l, err := r.do(ctx, Import{Articles: all})
	if err == nil && len(l.Articles) != len(all) {
		err = fmt.Errorf("operate: %d outcomes for %d articles", len(l.Articles), len(all))
	}
	return l.Articles, err
}

// Put writes profiles.
func (r Remote) Put(ctx context.Context, profiles map[string]people.Profile) error {
	_, err := r.do(ctx, Import{Profiles: profiles})
	return err
}

// MarkImport adds months to the mark of an import.
func (r Remote) MarkImport(ctx context.Context, id, name string, at board.Moment, months ...board.MonthOf) error {
	_, err := r.do(ctx, Import{Mark: &records.Import{ID: id, Name: name, Since: at, Months: months}})
	return err
}

// EndImport removes the mark of an import.
func (r Remote) EndImport(ctx context.Context, id string) error {
	_, err := r.do(ctx, Import{End: id})
	return err
}

// Imports returns the imports in progress.
func (r Remote) Imports(ctx context.Context) ([]records.Import, error) {
	l, err := r.do(ctx, Import{Imports: true})
	return l.Imports, err
}

// Importer returns what imports into the stores.
func (r Remote) Importer(ctx context.Context) (*importer.Importer, error) {
	l, err := r.do(ctx, Import{Forum: true})
	if err != nil {
		return nil, err
	}
	rules, err := activity.ParseRules(l.Rules)
	zone, zoneErr := time.LoadLocation(l.Zone)
	if err := errors.Join(err, zoneErr); err != nil {
		return nil, err
	}
	return &importer.Importer{
		Store: r, Articles: r, People: r, Marks: r, Rules: rules, Calendar: board.NewCalendar(zone),
		Now: board.MomentOf(time.Now()),
	}, nil
}
