package importer_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/article"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/run/importer"
)

// A fake is stores that count all calls, and keep their input.
type fake struct {
	mu       sync.Mutex
	acts     []activity.Activity
	articles []article.Article
	months   [][]board.MonthOf // of marks
	late     bool              // a row came before its month was marked
	ended    bool
}

func (f *fake) do(_ context.Context, p importer.Part) (done importer.Done, _ error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	calendar := board.NewCalendar(time.UTC)
	for _, a := range p.Activities {
		month := calendar.Date(a.At).Month()
		f.late = f.late || !slices.Contains(slices.Concat(f.months...), month)
		done.Statuses = append(done.Statuses, ledger.Counted)
	}
	f.acts = append(f.acts, p.Activities...)
	for _, a := range p.Articles {
		stored := slices.IndexFunc(f.articles, func(stored article.Article) bool { return stored.ID == a.ID })
		made := importer.Creation("there")
		switch {
		case stored < 0:
			f.articles, made = append(f.articles, a), "created"
		case f.articles[stored].Author != a.Author, f.articles[stored].Published != a.Published:
			made = "target: taken"
		}
		done.Articles = append(done.Articles, made)
	}
	if p.Mark != nil {
		f.months = append(f.months, p.Mark.Months)
	}
	f.ended = f.ended || p.End != ""
	return done, nil
}

var now = board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func newImporter(stores importer.Stores) *importer.Importer {
	return &importer.Importer{
		Stores: stores, Rules: activity.Default(), Calendar: board.NewCalendar(time.UTC), Now: now,
	}
}

// loader imports a text and returns the rejected lines as their file has them.
type loader func(testing.TB, *importer.Importer, string) (s importer.Summary, rejected string, err error)

// loaders import from standard input, and from a file, which can be read twice.
var loaders = map[string]loader{"standard input": load, "a file": loadFile}

func load(tb testing.TB, im *importer.Importer, text string) (s importer.Summary, rejected string, err error) {
	tb.Helper()
	return loadFrom(tb.Context(), tb, im, "-", text)
}

func loadFile(tb testing.TB, im *importer.Importer, text string) (s importer.Summary, rejected string, err error) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "history")
	harness.OK(tb, os.WriteFile(path, []byte(text), 0o600))
	return loadFrom(tb.Context(), tb, im, path, "")
}

func loadFrom(
	ctx context.Context, tb testing.TB, im *importer.Importer, path, stdin string,
) (s importer.Summary, rejected string, err error) {
	tb.Helper()
	src, err := importer.Open(path, strings.NewReader(stdin))
	harness.OK(tb, err)
	defer src.Close()
	file := &importer.RejectedFile{Path: filepath.Join(tb.TempDir(), "rejected.csv")}
	all := importer.NewSummary()
	err = im.Import(ctx, src, all, file)
	s = *all
	harness.OK(tb, file.Close())
	if text, readErr := os.ReadFile(file.Path); readErr == nil {
		rejected = string(text)
	}
	if s.Unanswered < 0 || err == nil && s.Unanswered != 0 {
		tb.Errorf("%d lines are not accounted for: %+v", s.Unanswered, s)
	}
	if err == nil && src.Size > 0 && src.Done() != src.Size {
		tb.Errorf("%d bytes of %d are read", src.Done(), src.Size)
	}
	return s, rejected, err
}

func skipped(s importer.Summary) (n int) {
	for _, count := range s.Skipped {
		n += count
	}
	return n
}
