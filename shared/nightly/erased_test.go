package nightly_test

import (
	"errors"
	"iter"
	"testing"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/nightly"
	"laurel/shared/redisstore"
)

// erasedDay makes a day final, erases some of its users there, and returns its entries
// before.
func (f *harness) erasedDay(t *testing.T, now board.Moment, day board.Period, users ...int) []board.Entry {
	t.Helper()
	f.fill(t)
	entries := f.boards(t, []redisstore.LivePeriod{{Board: "activity", Period: day}})["activity "+day.String()]
	f.run(t, now)
	for _, i := range users {
		if was, err := archive.New(f.kept).Erase(t.Context(), "activity", day, entries[i].User); !was || err != nil {
			t.Fatal(was, err)
		}
	}
	return entries
}

func seq(entries ...board.Entry) iter.Seq2[board.Entry, error] {
	return func(yield func(board.Entry, error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// A restored board does not have erased users: the places below move up, and the next run
// makes that board final.
func TestErasedDoNotComeBack(t *testing.T) {
	t.Parallel()
	f, now, day := open(t, 2), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
	was := f.erasedDay(t, now, day, 0, 3)
	want := []board.Entry{was[1], was[2], was[4]}
	if n, err := nightly.Restore(t.Context(), f.store, archive.New(f.kept), "activity", day); err != nil || n != 3 {
		t.Fatal(n, err)
	}
	back := f.boards(t, []redisstore.LivePeriod{{Board: "activity", Period: day}})
	equal(t, "restored", want, back["activity 2026-11-19"])
	f.run(t, now)
	final := f.boards(t, []redisstore.LivePeriod{{Board: "activity", Period: day}})
	equal(t, "final again", want, final["activity 2026-11-19"])
}

// A run that finds a part of a final board in Redis, after an interrupted run, removes it,
// with users who were erased from the archive since. Entries that the archive never had
// stay.
func TestWhatIsLeftOfAnErasedBoardIsRemoved(t *testing.T) {
	t.Parallel()
	for _, left := range [][]int{{0, 1, 2, 3, 4}, {1, 2, 4}, {0, 3}, {2, 3}, {4}} {
		f, now, day := open(t, 1), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
		was := f.erasedDay(t, now, day, 0, 3)
		var entries []board.Entry
		for _, i := range left {
			entries = append(entries, was[i])
		}
		if _, err := f.store.PutBack(t.Context(), "activity", day, seq(entries...)); err != nil {
			t.Fatal(err)
		}
		f.run(t, now)
		if n, err := f.store.Total(t.Context(), "activity", day); n != 0 || err != nil {
			t.Errorf("%v: %d are left in Redis, %v", left, n, err)
		}
	}
	f, now, day := open(t, 1), at(t, "2026-12-10T03:00"), period(t, "2026-11-19")
	was := f.erasedDay(t, now, day, 0, 3)
	stranger := board.Entry{User: "zoe", Packed: was[0].Packed + 1}
	if _, err := f.store.PutBack(t.Context(), "activity", day, seq(stranger)); err != nil {
		t.Fatal(err)
	}
	if _, err := nightly.Run(t.Context(), f.options(now)); !errors.Is(err, nightly.ErrDiffers) {
		t.Errorf("what the archive lacks: %v", err)
	}
}
