package importer_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/importer"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table/embedded"
)

// counter is a store that counts everything and keeps what it was given.
type counter struct {
	got chan []activity.Activity
}

func newCounter() *counter { return &counter{got: make(chan []activity.Activity, 1000)} }

func (c *counter) Merge(_ context.Context, activities []activity.Activity, _ board.Moment) []record.Result {
	c.got <- activities
	results := make([]record.Result, len(activities))
	for i := range results {
		results[i].Status = ledger.Counted
	}
	return results
}

// all returns what was given, in order.
func (c *counter) all() (all []activity.Activity) {
	for len(c.got) > 0 {
		all = append(all, <-c.got...)
	}
	return all
}

// A kept is a forum without Redis whose table is in memory, and whose clock stands.
type kept struct {
	testing.TB
	*record.Recorder
	records *records.Store
	now     board.Moment
}

func newKept(tb testing.TB, l *ledger.Ledger, at board.Moment) *kept {
	tb.Helper()
	return newKeptIn(tb, l, embedded.New(time.Now), at)
}

func newKeptIn(tb testing.TB, l *ledger.Ledger, items records.Table, at board.Moment) *kept {
	tb.Helper()
	k := &kept{TB: tb, records: records.New(items, l.Calendar().Zone().String(), at.Time), now: at}
	k.Recorder = record.New(record.Options{
		Records: k.records, Ledger: l, Clock: at.Time, Real: time.Now, Log: slog.New(slog.DiscardHandler),
		HotDays: 3,
	})
	return k
}

// filled is when the random forums of package stream are in the past.
var filled = board.MomentOf(time.Date(2027, time.June, 1, 12, 0, 0, 0, time.UTC))

var now = board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

func newImporter(store importer.Store) *importer.Importer {
	return &importer.Importer{
		Store: store, Rules: activity.Default(), Calendar: board.NewCalendar(time.UTC), Now: now,
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
	if err != nil {
		tb.Fatal(err)
	}
	defer src.Close()
	file := &importer.RejectedFile{Path: filepath.Join(tb.TempDir(), "rejected.csv")}
	s, err = im.Import(ctx, src, file)
	if closed := file.Close(); closed != nil {
		tb.Fatal(closed)
	}
	if text, readErr := os.ReadFile(file.Path); readErr == nil {
		rejected = string(text)
	}
	if sum := s.Recorded() + s.Rejected + s.Unanswered + skipped(s); sum != s.Lines {
		tb.Errorf("%d lines, of which %d are accounted for: %+v", s.Lines, sum, s)
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
