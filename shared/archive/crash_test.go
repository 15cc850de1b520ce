package archive_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/board"
)

// dump lists every item of a period, the manifest among them.
func dump(t *testing.T, store archive.Store, p board.Period) map[string]string {
	t.Helper()
	all := map[string]string{}
	head := "activity#" + p.Window().String()
	for _, partition := range []string{head, head + "#" + p.String()} {
		items, err := store.Descend(t.Context(), partition, "\U0010FFFF", 1_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			all[item.String()] = string(item.Data)
		}
	}
	return all
}

// Promise 5, the archive's part: a crash at any call, then a second run, gives
// the bytes of a run without a crash, and until the manifest is there the period
// is not final.
func TestPromise5EveryCrashPointIsMended(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(5, 6)), 2*archive.PageLen+9)
	whole := open(t)
	if _, err := archive.New(whole).Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
		t.Fatal(err)
	}
	want := dump(t, whole, day)
	for _, how := range []string{harness.Before, harness.After} {
		for at := 1; ; at++ {
			store := open(t)
			broken := &harness.Crash{Store: store, At: at, How: how}
			_, err := archive.New(broken).Write(t.Context(), "activity", day, sourceOf(entries), 0)
			if err == nil {
				if broken.Calls() >= at {
					t.Errorf("a crash at call %d went unnoticed", at)
				}
				break // there are no more calls
			}
			if !errors.Is(err, harness.ErrCrash) {
				t.Fatalf("crash at call %d: %v", at, err)
			}
			a := archive.New(store)
			if m, err := a.Manifest(t.Context(), "activity", day); err == nil && len(dump(t, store, day)) != len(want) {
				t.Fatalf("crash at call %d: final with %d of %d items: %+v", at, len(dump(t, store, day)), len(want), m.Total)
			}
			if _, err := a.Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
				t.Fatalf("the run after a crash at call %d: %v", at, err)
			}
			if diff := cmp.Diff(want, dump(t, store, day)); diff != "" {
				t.Fatalf("crash at call %d (-without +with): %.500s", at, diff)
			}
		}
	}
}

// Any number of runs beside each other write one board.
func TestRunsBesideEachOther(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(7, 8)), archive.PageLen+9)
	store := open(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := archive.New(store).Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	alone := open(t)
	if _, err := archive.New(alone).Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump(t, alone, day), dump(t, store, day)); diff != "" {
		t.Errorf("(-alone +together): %.500s", diff)
	}
}

// A run whose board is taken away while it reads, as another has finished it,
// changes nothing; one that is alone does not make half a board final.
func TestABoardThatGoesAwayIsNotWrittenShort(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(9, 10)), 3*archive.PageLen)
	for _, finished := range []bool{false, true} {
		store := open(t)
		a := archive.New(store)
		if finished {
			if _, err := a.Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
				t.Fatal(err)
			}
		}
		before := dump(t, store, day)
		short := archive.Source{Total: int64(len(entries)), Entries: func(context.Context) iter.Seq2[board.Entry, error] {
			return sourceOf(entries[:archive.PageLen+100]).Entries(t.Context())
		}}
		_, err := a.Write(t.Context(), "activity", day, short, 0)
		switch {
		case finished && (err != nil || cmp.Diff(before, dump(t, store, day)) != ""):
			t.Errorf("beside a finished run: %v", err)
		case !finished && !errors.Is(err, archive.ErrChanged):
			t.Errorf("alone: %v, want ErrChanged", err)
		}
		if _, err := a.Manifest(t.Context(), "activity", day); finished != (err == nil) {
			t.Errorf("final: %v", err)
		}
	}
}

// What an unfinished run has left of a board that was opened again gives way,
// wherever the run has ended: the items are those of the later board alone, so
// everybody is found in its index.
func TestWhatIsLeftOfAnotherBoardGivesWay(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 12))
	old, now := randomBoard(rng, 3*archive.PageLen), randomBoard(rng, archive.PageLen+1)
	alone := open(t)
	if _, err := archive.New(alone).Write(t.Context(), "activity", day, sourceOf(now), 0); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{3, 6, 8} { // among the pages, among the index, while it is read back
		store := open(t)
		broken := &harness.Crash{Store: store, At: at, How: harness.Before}
		if _, err := archive.New(broken).Write(t.Context(), "activity", day, sourceOf(old), 0); !errors.Is(err, harness.ErrCrash) {
			t.Fatal(err)
		}
		// And another run that has displaced some of it, and stopped too.
		broken = &harness.Crash{Store: store, At: at + 4, How: harness.Before}
		if _, err := archive.New(broken).Write(t.Context(), "activity", day, sourceOf(now), 0); !errors.Is(err, harness.ErrCrash) {
			t.Fatal(err)
		}
		a := archive.New(store)
		if _, err := a.Write(t.Context(), "activity", day, sourceOf(now), 0); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(dump(t, alone, day), dump(t, store, day)); diff != "" {
			t.Errorf("after a crash at call %d (-alone +after): %.300s", at, diff)
		}
		for i := 0; i < len(now); i += 97 {
			if rank, err := a.Rank(t.Context(), "activity", day, now[i].User); err != nil || rank != int64(i+1) {
				t.Fatalf("after a crash at call %d: %s has rank %d, %v, want %d", at, now[i].User, rank, err, i+1)
			}
		}
		var whole []board.Entry
		for e, err := range a.Entries(t.Context(), "activity", day) {
			if err != nil {
				t.Fatal(err)
			}
			whole = append(whole, e)
		}
		if !slices.Equal(whole, now) {
			t.Errorf("after a crash at call %d: the board is not the later one", at)
		}
	}
}

// An item that was tampered with is an error that names it; what does not need
// it stays readable.
func TestTamperedItemIsNamed(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(13, 14)), 2*archive.PageLen)
	store := open(t)
	a := archive.New(store)
	if _, err := a.Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
		t.Fatal(err)
	}
	key := archive.Key{Partition: "activity#day#2026-11-20", Sort: "page#000001"}
	first := archive.Key{Partition: key.Partition, Sort: "page#000000"}
	items, err := store.Get(t.Context(), key, first)
	if err != nil || len(items) != 2 {
		t.Fatal(items, err)
	}
	i := slices.IndexFunc(items, func(item archive.Item) bool { return item.Key == key })
	good, other := items[i].Data, items[1-i].Data
	flipped := slices.Clone(good)
	flipped[len(flipped)/2] ^= 1
	deep := board.View{Board: "activity", Period: day, Offset: archive.PageLen + 5, Limit: 30}
	top := board.View{Board: "activity", Period: day, Limit: 30, User: entries[7].User}
	current := good
	for name, data := range map[string][]byte{"a bit": flipped, "cut off": good[:len(good)-3], "empty": {}, "another page's": other} {
		if err := store.Replace(t.Context(), archive.Item{Key: key, Data: data}, current); err != nil {
			t.Fatal(err)
		}
		current = data
		_, err := a.Read(t.Context(), deep)
		if !errors.Is(err, archive.ErrDamaged) || !contains(err, key.Sort) {
			t.Errorf("%s: %v, want an error that names %s", name, err, key.Sort)
		}
		if _, err := a.Read(t.Context(), top); err != nil {
			t.Errorf("%s: the rest is not readable: %v", name, err)
		}
	}
}

// A hole in the index is damage, not a user who was never there.
func TestMissingIndexItemIsDamage(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(19, 20)), 200)
	store := open(t)
	a := archive.New(store)
	if _, err := a.Write(t.Context(), "activity", day, sourceOf(entries), 0); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), archive.Key{Partition: "activity#day#2026-11-20", Sort: "index#0000000000"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Rank(t.Context(), "activity", day, entries[3].User); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := a.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 30}); err != nil {
		t.Errorf("the page needs no index: %v", err)
	}
}
