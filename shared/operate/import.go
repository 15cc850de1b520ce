package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"laurel/shared/activity"
	"laurel/shared/article"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/people"
	"laurel/shared/record"
	"laurel/shared/records"
)

// A Load is a part of an import: what package importer asks of stores. Each may be sent
// again. One slice does it; its result is a Loaded.
type Load struct {
	Activities []activity.Activity       `json:"activities,omitempty"`
	Now        board.Moment              `json:"now,omitempty"` // what is later than that is too early
	Articles   []article.Article         `json:"articles,omitempty"`
	Profiles   map[string]people.Profile `json:"profiles,omitempty"`
	Mark       *records.Import           `json:"mark,omitempty"` // months that are imported
	End        string                    `json:"end,omitempty"`  // the import whose mark is removed
	Imports    bool                      `json:"imports,omitempty"`
	Forum      bool                      `json:"forum,omitempty"`
}

// Loaded is what came of a Load.
type Loaded struct {
	Statuses []ledger.Status         `json:"statuses,omitempty"` // of activities; "" where Failures has why
	Failures map[int]*OperationError `json:"failures,omitempty"`
	Articles []importer.Creation     `json:"articles,omitempty"`
	Imports  []records.Import        `json:"imports,omitempty"`
	Rules    json.RawMessage         `json:"rules,omitempty"`
	Zone     string                  `json:"zone,omitempty"`
}

func load(ctx context.Context, s *slice, a Load, _ *struct{}) (any, error) {
	var l Loaded
	for i, r := range s.record(ctx, a) {
		if r.Err == nil {
			l.Statuses = append(l.Statuses, r.Status)
			continue
		}
		if l.Failures == nil {
			l.Failures = map[int]*OperationError{}
		}
		l.Statuses, l.Failures[i] = append(l.Statuses, ""), failureOf(r.Err)
	}
	var err error
	if len(a.Articles) > 0 {
		l.Articles, err = importer.Creating{Articles: s.Recorder.Articles()}.Create(ctx, a.Articles)
	}
	if err == nil && len(a.Profiles) > 0 {
		err = s.People.Put(ctx, a.Profiles)
	}
	if m := a.Mark; err == nil && m != nil {
		err = s.Recorder.MarkImport(ctx, m.ID, m.Name, m.Since, m.Months...)
	}
	if err == nil && a.End != "" {
		err = s.Recorder.EndImport(ctx, a.End)
	}
	if err == nil && a.Imports {
		l.Imports, err = s.Recorder.Imports(ctx)
	}
	if a.Forum {
		l.Rules, l.Zone = s.Rules.JSON(), s.Calendar.Zone().String()
	}
	return l, err
}

func (s *slice) record(ctx context.Context, a Load) []record.Result {
	if len(a.Activities) == 0 {
		return nil
	}
	return s.Recorder.Merge(ctx, a.Activities, a.Now)
}

// A Remote is the stores of an import that somebody else reaches, who does slices.
type Remote struct {
	Slice func(context.Context, Request, Watch) (Reply, error)
}

// do has a part of an import done.
func (r Remote) do(ctx context.Context, part Load) (l Loaded, err error) {
	arguments, err := json.Marshal(part) //nolint:musttag // rules and articles know no format; load reads them
	if err != nil {
		return l, err
	}
	reply, err := r.Slice(ctx, Request{Operation: "import", Arguments: arguments}, Watch{})
	if err == nil && len(reply.Result) > 0 {
		err = json.Unmarshal(reply.Result, &l)
	}
	if err == nil && reply.Failure != nil {
		err = reply.Failure
	}
	return l, err
}

// remoteRows is how many activities one slice merges: its request and its answer have limits.
const remoteRows = 2_000

// Merge merges activities of history, a slice at a time, until one fails.
func (r Remote) Merge(ctx context.Context, all []activity.Activity, now board.Moment) (results []record.Result) {
	var failed error
	for some := range slices.Chunk(all, remoteRows) {
		var l Loaded
		if failed == nil {
			l, failed = r.do(ctx, Load{Activities: some, Now: now})
		}
		if failed == nil && len(l.Statuses) != len(some) {
			failed = fmt.Errorf("operate: %d receipts for %d activities", len(l.Statuses), len(some))
		}
		for i := range some {
			one := record.Result{Err: failed}
			if failure := l.Failures[i]; failed == nil && failure != nil {
				one.Err = failure
			} else if failed == nil {
				one.Status = l.Statuses[i]
			}
			results = append(results, one)
		}
	}
	return results
}

// Create creates articles.
func (r Remote) Create(ctx context.Context, all []article.Article) ([]importer.Creation, error) {
	l, err := r.do(ctx, Load{Articles: all})
	if err == nil && len(l.Articles) != len(all) {
		err = fmt.Errorf("operate: %d outcomes for %d articles", len(l.Articles), len(all))
	}
	return l.Articles, err
}

// Put writes profiles.
func (r Remote) Put(ctx context.Context, profiles map[string]people.Profile) error {
	_, err := r.do(ctx, Load{Profiles: profiles})
	return err
}

// MarkImport adds months to the mark of an import.
func (r Remote) MarkImport(ctx context.Context, id, name string, at board.Moment, months ...board.MonthOf) error {
	_, err := r.do(ctx, Load{Mark: &records.Import{ID: id, Name: name, Since: at, Months: months}})
	return err
}

// EndImport removes the mark of an import.
func (r Remote) EndImport(ctx context.Context, id string) error {
	_, err := r.do(ctx, Load{End: id})
	return err
}

// Imports returns the imports in progress.
func (r Remote) Imports(ctx context.Context) ([]records.Import, error) {
	l, err := r.do(ctx, Load{Imports: true})
	return l.Imports, err
}

// Forum returns the rules and the calendar of the forum.
func (r Remote) Forum(ctx context.Context) (*activity.Rules, *board.Calendar, error) {
	l, err := r.do(ctx, Load{Forum: true})
	if err != nil {
		return nil, nil, err
	}
	rules, err := activity.ParseRules(l.Rules)
	zone, zoneErr := time.LoadLocation(l.Zone)
	if err := errors.Join(err, zoneErr); err != nil {
		return nil, nil, err
	}
	return rules, board.NewCalendar(zone), nil
}
