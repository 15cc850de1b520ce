package walk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
)

// A batch is what was answered 202.
type batch struct {
	arrival board.Moment
	acts    []activity.Activity
}

// activities makes some activities of the last so many milliseconds.
func (f *forum) activities(n int, within int64) (acts []activity.Activity) {
	for range n {
		a := activity.Activity{User: f.user(), Target: f.targets[f.rng.IntN(len(f.targets))]}
		other := f.user()
		a.At = f.moment() - board.Moment(f.rng.Int64N(1+within>>f.rng.IntN(12)))
		version := f.Rules.On(f.Calendar.Date(a.At))
		words := version.Words()
		a.Action = words[f.rng.IntN(len(words))]
		rule := version.Find(a.Action)
		switch {
		case rule.Metric:
			a.Target, a.Value = "", new(int64(f.rng.IntN(4)*500))
		case rule.TargetIsUser:
			a.Target = other
		case rule.TakesRef() && f.rng.IntN(2) == 0:
			a.Ref = fmt.Sprint("c", f.rng.IntN(2))
		}
		a.Restores = rule.Undo != "" && a.Action != rule.Undo && f.rng.IntN(6) == 0
		acts = append(acts, a)
	}
	return acts
}

const hour = int64(time.Hour / time.Millisecond)

// record records what was done lately, and again what was not answered, or leaves that to
// the journal.
func (f *forum) record() {
	acts := f.activities(1+f.rng.IntN(12), 48*hour)
	f.run(fmt.Sprintf("record %d", len(acts)), func(a *app.App) error {
		var again []activity.Activity
		for i, r := range a.Store.Record(f.Context(), acts, ledger.Arrival{Now: f.moment()}) {
			if r.Err != nil && a == f.App {
				return r.Err
			}
			if r.Err != nil {
				again = append(again, acts[i])
				continue
			}
			f.take(acts[i], r.Status)
		}
		if len(again) == 0 {
			return nil
		}
		if f.rng.IntN(2) == 0 {
			f.takeJournaled(again)
			return nil
		}
		f.fresh(f.App)
		for i, r := range f.Store.Record(f.Context(), again, ledger.Arrival{Now: f.moment()}) {
			f.must(r.Err)
			f.take(again[i], r.Status)
		}
		return nil
	})
}

// refusals are the statuses of what is not kept.
var refusals = []ledger.Status{
	ledger.TooLate, ledger.TooEarly, ledger.Self, ledger.Excluded, ledger.WasErased,
	ledger.UnknownTarget, ledger.TooNew,
}

// take takes in a receipt.
func (f *forum) take(a activity.Activity, status ledger.Status) {
	f.Helper()
	refused := slices.Contains(refusals, status)
	if refused != f.model.refuses(a) && !f.behind {
		f.Errorf("%+v: %s", a, status)
	}
	f.Logf("  %s %s %q %q at %s restores %t: %s", a.User, a.Action, a.Target, a.Ref, a.At, a.Restores, status)
	if !refused {
		f.model.accept(a)
	}
}

// takeJournaled takes in those of some activities that the journal has.
func (f *forum) takeJournaled(acts []activity.Activity) {
	f.Helper()
	f.must(f.Kept.Journal.Read(f.Context(), f.moment(), f.moment()+1, func(_ board.Moment, rows []ledger.Row) error {
		for _, row := range rows {
			for _, a := range acts {
				b := row.Activity
				if a.Value != nil && b.Value != nil && *a.Value == *b.Value {
					b.Value = a.Value
				}
				if b == a {
					f.Logf("  %s %s %q at %s is in the journal", a.User, a.Action, a.Target, a.At)
					f.model.accept(a)
				}
			}
		}
		return nil
	}))
}

// report reports activities while Redis is emptied: they are answered 202, or recorded.
func (f *forum) report() {
	f.Helper()
	f.Now = f.Now.Add(time.Millisecond)
	acts := f.activities(1+f.rng.IntN(5), 47*hour)
	var all []string
	for _, a := range acts {
		if a.Target == "" {
			a.Target = "x"
		}
		all = append(all, harness.Reported(a, true))
	}
	if len(all) == 0 {
		return
	}
	body := strings.NewReader(harness.Report(all...))
	r := httptest.NewRequestWithContext(f.Context(), http.MethodPost, "/v1/activities", body)
	r.Header.Set("Authorization", "Bearer "+f.token)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	f.handler.ServeHTTP(w, r)
	f.Logf("%s report %d: %d %.60s", f.moment(), len(acts), w.Code, w.Body.String())
	switch w.Code {
	case http.StatusAccepted:
		f.pending = append(f.pending, batch{f.moment(), acts})
	case http.StatusOK:
		var answer httpapi.Receipts
		f.must(json.Unmarshal(w.Body.Bytes(), &answer))
		for i, receipt := range answer.Receipts {
			f.take(acts[i], ledger.Status(receipt.Status))
		}
	default:
		f.Errorf("report: %d %s", w.Code, w.Body)
	}
}

// admit takes in what was pending and is admitted now.
func (f *forum) admit() {
	for _, b := range f.pending {
		for _, a := range b.acts {
			if !f.model.refuses(a) {
				f.Logf("  %s %s %q %q at %s was pending", a.User, a.Action, a.Target, a.Ref, a.At)
				f.model.accept(a)
			}
		}
	}
	f.pending = nil
}
