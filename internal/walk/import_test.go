package walk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/pages"
)

// A file is what an import reads.
type file struct {
	path string
	acts []activity.Activity
}

// load imports what was done at any time. An import that is interrupted is repeated, now or
// after other things, or given up.
//
// What a failover has opened again would take what is final.
func (f *forum) load() {
	if f.behind {
		return
	}
	acts := f.activities(1+f.rng.IntN(25), 60*24*hour)
	input := file{path: filepath.Join(f.TempDir(), "history")}
	var lines strings.Builder
	for _, a := range acts {
		line, _ := json.Marshal(map[string]any{
			"at": a.At.String(), "user": a.User, "action": a.Action, "target": a.Target, "ref": a.Ref, "value": a.Value,
			"restores": a.Restores,
		})
		input.acts = append(input.acts, a)
		lines.Write(append(line, '\n'))
	}
	f.must(os.WriteFile(input.path, []byte(lines.String()), 0o600))
	killed := f.run(fmt.Sprintf("import %d", len(input.acts)), func(a *app.App) error { return f.read(a, input) })
	if !killed {
		return
	}
	if f.rng.IntN(3) == 0 {
		f.fresh(f.App)
		f.must(f.read(f.App, input))
		return
	}
	f.takeJournaled(input.acts)
	f.unfinished = append(f.unfinished, input)
}

// read imports a file.
func (f *forum) read(a *app.App, input file) error {
	source, err := importer.Open(input.path, nil)
	f.must(err)
	defer func() { _ = source.Close() }()
	im := importer.Importer{
		Store: failFast{a.Store}, Marks: a.Kept.State, Rules: f.Rules, Calendar: f.Calendar, Now: f.moment(),
	}
	summary, err := im.Import(f.Context(), source, &importer.RejectedFile{Path: input.path + ".rejected"})
	if err == nil {
		f.takeImported(input.acts, summary)
	}
	return err
}

// finish imports what was interrupted once more, or gives it up.
func (f *forum) finish() {
	if f.behind {
		return
	}
	for _, input := range f.unfinished {
		f.Logf("%s import %d again", f.moment(), len(input.acts))
		if f.rng.IntN(3) > 0 {
			f.fresh(f.App)
			f.must(f.read(f.App, input))
		}
	}
	f.unfinished = nil
	marks, err := f.Kept.State.Imports(f.Context())
	f.must(err)
	for _, mark := range marks {
		f.must(f.Kept.State.EndImport(f.Context(), mark.ID))
	}
}

func (f *forum) takeImported(acts []activity.Activity, s importer.Summary) {
	f.Helper()
	refused := 0
	for _, a := range acts {
		if f.model.refuses(a) {
			refused++
			continue
		}
		f.Logf("  %s %s %q %q at %s", a.User, a.Action, a.Target, a.Ref, a.At)
		f.model.accept(a)
	}
	got := 0
	for _, status := range refusals {
		got += s.Receipts[status]
	}
	if !f.behind && (got != refused || s.Rejected > 0) {
		f.Errorf("%d lines are refused and %d rejected, want %d and 0: %v", got, s.Rejected, refused, s.Receipts)
	}
}

// failFast is a store whose errors an import does not try again.
type failFast struct{ importer.Store }

// Record records, with errors of which nothing is known.
func (s failFast) Record(ctx context.Context, acts []activity.Activity, at ledger.Arrival) []pages.Result {
	results := s.Store.Record(ctx, acts, at)
	for i := range results {
		if err := results[i].Err; err != nil {
			results[i].Err = errors.New(err.Error())
		}
	}
	return results
}
