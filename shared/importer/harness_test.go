package importer_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/pages"
)

// counter is a store that counts everything and keeps what it was given.
type counter struct {
	got chan []activity.Activity
}

func newCounter() *counter { return &counter{got: make(chan []activity.Activity, 1000)} }

func (c *counter) Record(_ context.Context, activities []activity.Activity, _ ledger.Arrival) []pages.Result {
	c.got <- activities
	results := make([]pages.Result, len(activities))
	for i := range results {
		results[i].Status = ledger.Counted
	}
	return results
}

// all is what was given, one worker's after the other's.
func (c *counter) all() (all []activity.Activity) {
	for len(c.got) > 0 {
		all = append(all, <-c.got...)
	}
	return all
}

var now = board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func newImporter(store importer.Store) *importer.Importer {
	return &importer.Importer{
		Store: store, Rules: activity.Default(), Calendar: board.NewCalendar(time.UTC), Now: now,
	}
}

// load imports a text, and returns the faulty lines as their file has them.
func load(tb testing.TB, im *importer.Importer, text string) (s importer.Summary, faults string, err error) {
	tb.Helper()
	return loadContext(tb.Context(), tb, im, text)
}

func loadContext(ctx context.Context, tb testing.TB, im *importer.Importer, text string) (s importer.Summary, faults string, err error) {
	tb.Helper()
	src, err := importer.Open("-", strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	file := &importer.FaultFile{Path: filepath.Join(tb.TempDir(), "faults.csv")}
	s, err = im.Import(ctx, src, file)
	if closed := file.Close(); closed != nil {
		tb.Fatal(closed)
	}
	if text, readErr := os.ReadFile(file.Path); readErr == nil {
		faults = string(text)
	}
	if sum := s.Recorded() + s.Faulty + s.Unanswered + skipped(s); sum != s.Lines {
		tb.Errorf("%d lines, of which %d are accounted for: %+v", s.Lines, sum, s)
	}
	return s, faults, err
}

func skipped(s importer.Summary) (n int) {
	for _, count := range s.Skipped {
		n += count
	}
	return n
}
