package archive_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"laurel/shared/archive"
	"laurel/shared/board"
)

// reopened returns a board, and what it was when it became final.
func reopened(seed uint64) (was, now []board.Entry) {
	rng := rand.New(rand.NewPCG(seed, 14))
	was = randomBoard(rng, archive.PageLen+120)
	for _, e := range was {
		if rng.IntN(3) > 0 {
			now = append(now, e)
		}
	}
	for i := range archive.PageLen * 3 / 4 {
		now = append(now, board.Entry{User: fmt.Sprint("new-", i), Packed: board.Pack(1+rng.Int64N(40), rng.Int64N(9_000))})
	}
	slices.SortFunc(now, board.Compare)
	return was, now
}

func reopen(t *testing.T, store archive.Store) {
	t.Helper()
	if err := archive.New(store).Reopen(t.Context(), "activity", day); err != nil {
		t.Fatal(err)
	}
}

// rewrite writes the day's board after it was reopened.
func rewrite(ctx context.Context, store archive.Store, entries []board.Entry) (archive.Report, error) {
	source := sourceOf(entries)
	source.Reopened = true
	return archive.New(store).Write(ctx, "activity", day, source, 0)
}

// inCopy fails the test unless the items of the board are those of one copy.
func inCopy(t *testing.T, store archive.Store, number, items int) {
	t.Helper()
	want := "activity#day#2026-11-20"
	if number > 0 {
		want += fmt.Sprint("#", number)
	}
	n := 0
	for key := range dump(t, store) {
		if key.Partition != "activity#day" && key.Partition != want {
			t.Fatalf("%s is left", key)
		}
		n++
	}
	if n != items {
		t.Fatalf("%d items, want %d", n, items)
	}
}

// A board that was reopened replaces the copy: every view is of the former one until then,
// and of the new one from then on. Nothing is left of the former.
func TestReplacingACopy(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		rng := rand.New(rand.NewPCG(1, 15))
		was, now := reopened(1)
		for n, entries := range [][]board.Entry{was, now, was, nil} {
			if n == 0 {
				writeBoard(t, store, "activity", day, entries)
			} else {
				reopen(t, store)
				readsAsModel(t, rng, store, was, nil, "new-1")
				report, err := rewrite(t.Context(), store, entries)
				if err != nil || report.Was || report.Entries != int64(len(entries)) {
					t.Fatal(report, err)
				}
			}
			was = entries
			readsAsModel(t, rng, store, entries, nil, "new-1")
			if !slices.Equal(entriesOf(t, store), entries) {
				t.Fatal("the whole board is another")
			}
			users := []string{"new-1", "new-2", "nobody"}
			places, total, err := archive.New(store).Friends(t.Context(), "activity", day, users)
			if err != nil || total != int64(len(entries)) || (len(places) > 0) != (rankIn(entries, "new-1") > 0) {
				t.Errorf("friends: %v, %d, %v", places, total, err)
			}
		}
		inCopy(t, store, 3, 2) // of nobody
	})
}

// What was not reopened stays, whatever is written; what was, and is the same, keeps its
// copy and its bytes.
func TestACopyIsReplacedOnlyByAnotherBoard(t *testing.T) {
	t.Parallel()
	was, now := reopened(2)
	store := written(t, was)
	bytes := dump(t, store)
	for _, reopened := range []bool{false, true} { // the manifest does not say that it was
		source := sourceOf(now)
		source.Reopened = reopened
		if report, err := archive.New(store).Write(t.Context(), "activity", day, source, 0); err != nil || !report.Was {
			t.Error(report, err)
		}
		sameItems(t, store, bytes, "not reopened")
	}
	reopen(t, store)
	if report, err := archive.New(store).Write(t.Context(), "activity", day, sourceOf(now), 0); err != nil || !report.Was {
		t.Error(report, err) // the closed-period set does not say that it was
	}
	source := sourceOf(now)
	source.Reopened, source.Total = true, 1
	if _, err := archive.New(store).Write(t.Context(), "activity", day, source, 0); !errors.Is(err, archive.ErrChanged) {
		t.Error(err) // it has left a page
	}
	for range 2 {
		reopen(t, store)
		if _, err := rewrite(t.Context(), store, was); err != nil {
			t.Error(err)
		}
		sameItems(t, store, bytes, "reopened, and the same")
	}
	if err := archive.New(store).Reopen(t.Context(), "activity", before); !errors.Is(err, archive.ErrNotFinal) {
		t.Errorf("reopening what is not final: %v", err)
	}
}

// Promise 5: at every moment there is one complete copy. A run that stopped at any call of
// reopening or replacing is completed by the next, and leaves nothing.
func TestPromise5ReplacingStoppedAnywhere(t *testing.T) {
	t.Parallel()
	was, now := reopened(3)
	items := dump(t, written(t, was))
	everyCrash(t, items, func(store archive.Store) error {
		a := archive.New(store)
		for range 2 {
			if err := a.Reopen(t.Context(), "activity", day); err != nil {
				return err
			}
		}
		_, err := rewrite(t.Context(), store, now)
		return err
	}, func(store archive.Store, at int, how string) {
		got := entriesOf(t, store)
		replaced := slices.Equal(got, now)
		if !replaced && !slices.Equal(got, was) {
			t.Fatalf("crash at call %d %s: neither copy", at, how)
		}
		if m, err := archive.New(store).Manifest(t.Context(), "activity", day); err != nil || (!replaced && m.Next == 0) {
			reopen(t, store)
		}
		if _, err := rewrite(t.Context(), store, now); err != nil {
			t.Fatalf("after a crash at call %d %s: %v", at, how, err)
		}
		if !slices.Equal(entriesOf(t, store), now) {
			t.Fatalf("after a crash at call %d %s the board is another", at, how)
		}
		m, err := archive.New(store).Manifest(t.Context(), "activity", day)
		if err != nil {
			t.Fatal(err)
		}
		inCopy(t, store, int(m.Copy), len(dump(t, written(t, now))))
	})
}

// A reader beside a replacement sees the former copy or the new one.
func TestReadersBesideAReplacement(t *testing.T) {
	t.Parallel()
	was, now := reopened(4)
	store := written(t, was)
	var done atomic.Bool
	both := [][]board.Entry{was, now}
	last := int64(archive.PageLen + 20)
	concurrently(t, 5, func(i int) error {
		if i == 0 {
			defer done.Store(true)
			for n := range 12 {
				if err := archive.New(store).Reopen(context.Background(), "activity", day); err != nil {
					return err
				}
				if _, err := rewrite(context.Background(), store, both[1-n%2]); err != nil {
					return err
				}
			}
			return nil
		}
		for n := 0; !done.Load(); n++ {
			user := was[(n*37+i)%len(was)].User
			v := board.View{Board: "activity", Period: day, Offset: last, Limit: 9, User: user}
			got, err := archive.New(store).Read(context.Background(), v)
			if err != nil {
				return err
			}
			of := both[0]
			if got.Total == int64(len(now)) {
				of = both[1]
			}
			want := modelPage(v, of, nil)
			if !slices.Equal(want.Places, got.Places) || want.Standing.Rank != got.Standing.Rank {
				return fmt.Errorf("%+v\nwant %+v", got, want)
			}
			if _, _, err := archive.New(store).Friends(context.Background(), "activity", day, []string{user}); err != nil {
				return err
			}
		}
		return nil
	})
}

// A run that is overtaken, by an erasure, another reopening or another run, replaces
// nothing; repeated, it erases nobody's erasure.
func TestAnOvertakenRunReplacesNothing(t *testing.T) {
	t.Parallel()
	was, now := reopened(5)
	for what, between := range map[string]func(store archive.Store) error{
		"an erasure": func(store archive.Store) error {
			_, err := archive.New(store).Erase(t.Context(), "activity", day, was[7].User)
			return err
		},
		"a reopening": func(store archive.Store) error {
			return archive.New(store).Reopen(t.Context(), "activity", day)
		},
		"a run": func(store archive.Store) error {
			_, err := rewrite(t.Context(), store, now[:9])
			return err
		},
	} {
		store := written(t, was)
		reopen(t, store)
		source, overtaken := sourceOf(now), false
		entries := source.Entries
		source.Reopened = true
		source.Entries = func(ctx context.Context) iter.Seq2[board.Entry, error] {
			if !overtaken {
				overtaken = true
				if err := between(store); err != nil {
					t.Error(err)
				}
			}
			return entries(ctx)
		}
		before := len(was)
		if what == "a run" {
			before = 9
		}
		_, err := archive.New(store).Write(t.Context(), "activity", day, source, 0)
		if n := len(entriesOf(t, store)); !errors.Is(err, archive.ErrChanged) || n != before {
			t.Errorf("overtaken by %s: %d on the copy, %v", what, n, err)
		}
		if _, err := archive.New(store).Write(t.Context(), "activity", day, source, 0); err != nil {
			t.Errorf("again after %s: %v", what, err)
		}
		if what != "a run" && !slices.Equal(entriesOf(t, store), now) {
			t.Errorf("again after %s: the copy was not replaced", what)
		}
	}
}

// An erasure finds the user in the copy that is current, also when that is replaced
// meanwhile.
func TestErasingFromACopyThatReplacedAnother(t *testing.T) {
	t.Parallel()
	was, now := reopened(6)
	store := written(t, was)
	user := now[len(now)-1].User
	reopen(t, store)
	if _, err := rewrite(t.Context(), store, now); err != nil {
		t.Fatal(err)
	}
	if on, err := archive.New(store).Erase(t.Context(), "activity", day, user); !on || err != nil {
		t.Fatal(on, err)
	}
	if rank, err := archive.New(store).Rank(t.Context(), "activity", day, user); rank != 0 || err != nil {
		t.Error(rank, err)
	}
	if got := entriesOf(t, store); len(got) != len(now) || !got[len(now)-1].Erased() {
		t.Error("the entry has not kept its place")
	}
}
