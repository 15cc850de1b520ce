package nightly_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
)

// dayPages returns how many users have a page of a day.
func (f *stores) dayPages(t *testing.T, day string) (n int) {
	t.Helper()
	for key := range harness.Everything(t, f.Client) {
		if strings.Contains(key, "}:pages:") && f.Client.HExists(t.Context(), key, day).Val() {
			n++
		}
	}
	return n
}

// audited fails the test if an audit finds anything.
func (f *stores) audited(t *testing.T, when string) {
	t.Helper()
	a := audit.Auditor{
		Store: audit.NewInspector(f.Live.Redis()), Ledger: f.Ledger,
		Report: func(found audit.Finding) { t.Errorf("%s: %s", when, found) },
	}
	if _, err := a.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The pages of a day leave when it is final, those of live days stay; scores stay as they
// were, for a user who is hidden and shown again too.
func TestDayPagesLeaveWithTheirDay(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 2} {
		f := openFilled(t, shards)
		if n := f.dayPages(t, "2026-11-19"); n != 5 {
			t.Fatalf("%d have pages of the 19th", n)
		}
		f.run(t, at(t, "2026-11-23T03:00"))
		for day, want := range map[string]int{"2026-11-18": 0, "2026-11-19": 0, "2026-11-20": 5} {
			if n := f.dayPages(t, day); n != want {
				t.Errorf("%d pages of %s, want %d", n, day, want)
			}
		}
		f.sameBoards(t, "without pages of the day")
		harness.Hide(t, f.Live, "bob", true)
		harness.Hide(t, f.Live, "bob", false)
		f.sameBoards(t, "hidden and shown")
		f.audited(t, "final")
	}
}

// failingBoard is an archive that cannot write days of the board b.
type failingBoard struct {
	nightly.Archive
	err error
}

func (f failingBoard) Write(ctx context.Context, name string, p board.Period, source archive.Source,
	expires int64,
) (archive.Report, error) {
	if name == "b" && p.Window() == board.Day {
		return archive.Report{}, f.err
	}
	return f.Archive.Write(ctx, name, p, source, expires)
}

// With two boards that have entries by day, the pages leave with the second; with one that
// keeps no days, they stay.
func TestDayPagesLeaveWithTheLastBoard(t *testing.T) {
	t.Parallel()
	for windows, left := range map[string]int{`["day","month"]`: 0, `["month"]`: 1} {
		rules, err := activity.ParseRules(fmt.Appendf(nil, `{"boards":{"a":{"windows":["day","month"]},"b":{"windows":%s}},
			"versions":[{"actions":{
			"see":{"board":"a","points":1,"entry":"day","by":["user"]},
			"read":{"board":"b","points":1,"entry":"day","by":["user"]}}}]}`, windows))
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, 1)
		f.Ledger = ledger.New(rules, f.Ledger.Calendar())
		f.Live = live.New(f.Client, f.Ledger, 1)
		f.record(t, at(t, "2026-11-20T12:00"), "ada see 1", "ada read 1")
		broken := errors.New("broken")
		o := f.Night(at(t, "2026-11-24T03:00"))
		o.Archive = failingBoard{o.Archive, broken}
		if _, err := nightly.Run(t.Context(), o); (err == nil) != (left > 0) || f.dayPages(t, "2026-11-20") != 1 {
			t.Errorf("%s: %v, %d pages", windows, err, f.dayPages(t, "2026-11-20"))
		}
		f.run(t, at(t, "2026-11-24T03:00"))
		if n := f.dayPages(t, "2026-11-20"); n != left {
			t.Errorf("%s: %d pages are left, want %d", windows, n, left)
		}
	}
}
