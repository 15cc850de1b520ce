package nightly_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
)

var at, period = harness.At, harness.Period

// stores are a small forum's.
type stores struct {
	*harness.Stores
	periods []redisstore.LivePeriod  // of filled stores, before any run
	filled  map[string][]board.Entry // their boards
}

func open(t *testing.T, shards int) *stores {
	t.Helper()
	return &stores{Stores: harness.Open(t, shards, lastNight)}
}

func lastNight() time.Time { return time.Date(2027, time.February, 10, 4, 0, 0, 0, time.UTC) }

func openFilled(t *testing.T, shards int) (f *stores) {
	t.Helper()
	f = open(t, shards)
	f.fill(t)
	var err error
	if f.periods, err = f.Live.Periods(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.filled = f.boards(t, f.periods...)
	return f
}

// sameBoards checks that the boards are those that were filled.
func (f *stores) sameBoards(t *testing.T, when string) {
	t.Helper()
	equal(t, "boards "+when, f.filled, f.boards(t, f.periods...))
}

// again empties the stores and fills them again.
func (f *stores) again(t *testing.T) {
	t.Helper()
	f.Flush(t, nil)
	f.Kept = harness.Memory(t, lastNight)
	f.fill(t)
}

func (f *stores) final() *archive.Archive     { return archive.New(f.Kept) }
func (f *stores) articles() *archive.Articles { return archive.NewArticles(f.Kept) }

// run runs once and fails the test on any error.
func (f *stores) run(t *testing.T, now board.Moment) nightly.Result {
	t.Helper()
	result, err := nightly.Run(t.Context(), f.Night(now))
	if err != nil || len(result.Failed) > 0 {
		t.Fatalf("%+v, %v", result, err)
	}
	return result
}

// record records "ada like 7" and such, a second apart, and returns the receipts.
func (f *stores) record(t *testing.T, m board.Moment, texts ...string) []ledger.Receipt {
	t.Helper()
	var acts []activity.Activity
	for i, text := range texts {
		acts = append(acts, harness.Did(t, text, m+1_000*board.Moment(i)))
	}
	return harness.Record(t, f.Live, acts...)
}

// fill records three days of a month, and an undo in the next one.
func (f *stores) fill(t *testing.T) {
	t.Helper()
	for day := 18; day <= 20; day++ {
		m := at(t, fmt.Sprintf("2026-11-%dT12:00", day))
		for _, user := range []string{"ada", "bob", "eve", "dan", "fay"} {
			f.record(t, m, fmt.Sprintf("%s like %d", user, day), user+" visit 1", fmt.Sprintf("%s comment %s", user, user))
		}
		f.record(t, m, "ada publish 1", "gus unlike 9", "dan bookmark 7")
		harness.Record(t, f.Live, activity.Activity{User: "bob", Action: "steps", Value: new(int64(2_000)), At: m})
	}
}

// boards returns the entries of boards, final ones from the archive.
func (f *stores) boards(t *testing.T, periods ...redisstore.LivePeriod) map[string][]board.Entry {
	t.Helper()
	all := map[string][]board.Entry{}
	for _, p := range periods {
		entries := f.Live.Entries(t.Context(), p.Board, p.Period)
		if _, err := f.final().Manifest(t.Context(), p.Board, p.Period); err == nil {
			entries = f.final().Entries(t.Context(), p.Board, p.Period)
		} else if !errors.Is(err, archive.ErrNotFinal) {
			t.Fatal(err)
		}
		name := p.Board + " " + p.Period.String()
		for e, err := range entries {
			if err != nil {
				t.Fatal(err)
			}
			all[name] = append(all[name], e)
		}
	}
	return all
}

// board returns the entries of a board, of a final one from the archive.
func (f *stores) board(t *testing.T, name string, p board.Period) []board.Entry {
	t.Helper()
	return f.boards(t, redisstore.LivePeriod{Board: name, Period: p})[name+" "+p.String()]
}

// dump returns every item that the archive has of periods.
func (f *stores) dump(t *testing.T, periods ...redisstore.LivePeriod) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, p := range periods {
		head := p.Board + "#" + p.Period.Window().String()
		for _, partition := range []string{head, head + "#" + p.Period.String()} {
			items, err := f.Kept.Descend(t.Context(), partition, "\U0010FFFF", 1_000)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				all[item.String()] = fmt.Sprintf("%x %d", item.Data, item.Expires)
			}
		}
	}
	return all
}

// onlyClosed checks that Redis has only the closed-period sets.
func (f *stores) onlyClosed(t *testing.T) {
	t.Helper()
	for key := range f.Dump(t) {
		if !strings.HasSuffix(key, "}:closed") {
			t.Errorf("Redis still holds %s", key)
		}
	}
}

func equal(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-want +got):\n%.2000s", what, diff)
	}
}
