package nightly_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/nightly"
)

// erasedDay makes a day final, erases some of its users there, and returns its entries
// before.
func (f *stores) erasedDay(t *testing.T, now board.Moment, day board.Period, users ...int) []board.Entry {
	t.Helper()
	entries := f.board(t, "activity", day)
	f.run(t, now)
	for _, i := range users {
		if was, err := f.final().Erase(t.Context(), "activity", day, entries[i].User); !was || err != nil {
			t.Fatal(was, err)
		}
	}
	return entries
}

// A run that finds a part of a final board in Redis, after an interrupted run, removes it,
// with users who were erased from the archive since. Entries that the archive never had
// stay.
func TestWhatIsLeftOfAnErasedBoardIsRemoved(t *testing.T) {
	t.Parallel()
	for _, left := range [][]int{{0, 1, 2, 3, 4}, {1, 2, 4}, {0, 3}, {2, 3}, {4}} {
		f, now, day := openFilled(t, 1), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
		was := f.erasedDay(t, now, day, 0, 3)
		var entries []board.Entry
		for _, i := range left {
			entries = append(entries, was[i])
		}
		harness.Put(t, f.Live, "activity", day, entries...)
		f.run(t, now)
		if n, err := f.Live.Total(t.Context(), "activity", day); n != 0 || err != nil {
			t.Errorf("%v: %d are left in Redis, %v", left, n, err)
		}
	}
	f, now, day := openFilled(t, 1), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
	was := f.erasedDay(t, now, day, 0, 3)
	harness.Put(t, f.Live, "activity", day, board.Entry{User: "zoe", Packed: was[0].Packed + 1})
	if _, err := nightly.Run(t.Context(), f.Night(now)); !errors.Is(err, nightly.ErrDiffers) {
		t.Errorf("what the archive lacks: %v", err)
	}
}

// erasures is a function as Erasures.
type erasures func(context.Context) (archive.Erasures, error)

func (e erasures) GoOn(ctx context.Context) (archive.Erasures, error) { return e(ctx) }

// Erasures come after the periods, because some wait for a final one. Their error is a
// failure of the run, and without time they are left.
func TestErasuresComeAfterThePeriods(t *testing.T) {
	t.Parallel()
	f, now := openFilled(t, 1), at(t, "2026-12-10T03:00")
	options := f.Night(now)
	var logged strings.Builder
	options.Log = slog.New(slog.NewJSONHandler(&logged, nil))
	went := archive.Erasures{Done: 2, Left: 1, Since: now.Add(-50 * time.Hour)}
	options.Erasures = erasures(func(ctx context.Context) (archive.Erasures, error) {
		_, err := f.final().Manifest(ctx, "activity", period(t, "2026-11-20"))
		return went, err
	})
	result, err := nightly.Run(t.Context(), options)
	if err != nil || result.Erasures != went || len(result.Moved) == 0 {
		t.Errorf("%+v, %v", result, err)
	}
	if !strings.Contains(logged.String(), `"msg":"erasures in progress","erasures":1,"days":2`) {
		t.Errorf("the log does not say that one is in progress: %s", logged.String())
	}

	broken := errors.New("broken")
	went = archive.Erasures{Done: 1, Left: 3}
	options.Erasures = erasures(func(context.Context) (archive.Erasures, error) { return went, broken })
	result, err = nightly.Run(t.Context(), options)
	if !errors.Is(err, broken) || len(result.Failed) != 1 || result.Failed[0].Name != "erasures" ||
		result.Erasures != went {
		t.Errorf("%+v, %v", result, err)
	}

	short, cancel := context.WithTimeout(t.Context(), 9*time.Second) // less than a run keeps for its answer
	defer cancel()
	options.Erasures = erasures(func(context.Context) (archive.Erasures, error) {
		t.Error("there was no time")
		return archive.Erasures{}, nil
	})
	if result, err = nightly.Run(short, options); err != nil || len(result.Left) != 1 || result.Left[0] != "erasures" {
		t.Errorf("%+v, %v", result, err)
	}
}
