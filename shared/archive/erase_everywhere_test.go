package archive_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
)

var everywhere = []archive.Series{
	{Board: "steps", Window: board.Day},
	{Board: "activity", Window: board.Month},
	{Board: "activity", Window: board.Day},
	{Board: "steps", Window: board.Month},
	{Board: "activity", Window: board.Day},
}

// periods is how many of each series fill writes: more than are gone over at once.
const periods = 11

// fill writes boards of which ada is on every other, and returns on how many.
func fill(t *testing.T, store archive.Store) (on int64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(31, 1))
	for _, s := range everywhere[:4] {
		p := board.PeriodOf(s.Window, board.DateOf(2026, 11, 20))
		for i := range periods {
			entries := randomBoard(rng, 110)
			if i%2 == 0 {
				entries[rng.IntN(len(entries))].User = "ada lovelace"
				slices.SortFunc(entries, board.Compare)
				on++
			}
			writeBoard(t, store, s.Board, p, entries)
			p = p.Prev()
		}
	}
	return on
}

// whole lists every item of the final boards.
func whole(t *testing.T, store archive.Store) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, s := range everywhere[:4] {
		head := s.Board + "#" + s.Window.String()
		heads, err := store.Descend(t.Context(), head, "\U0010FFFF", 1_000)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range heads {
			all[h.String()] = string(h.Data)
			items, err := store.Descend(t.Context(), head+"#"+h.Sort, "\U0010FFFF", 1_000)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				all[item.String()] = string(item.Data)
			}
		}
	}
	return all
}

// run erases from everywhere until an error or so many steps, and returns where to
// go on and what was done.
func run(t *testing.T, store archive.Store, after archive.Mark, steps int) (mark archive.Mark, seen, boards int64, err error) {
	t.Helper()
	mark = after
	for step, err := range archive.New(store).EraseEverywhere(t.Context(), "ada lovelace", everywhere, after) {
		if err != nil {
			return mark, seen, boards, err
		}
		mark, seen, boards = step.Mark, seen+step.Periods, boards+step.Boards
		if steps--; steps == 0 {
			break
		}
	}
	return mark, seen, boards, nil
}

// copyOf is a store that holds such items.
func copyOf(t *testing.T, items map[string]string) *embedded.Store {
	t.Helper()
	store := open(t)
	for key, data := range items {
		if err := store.Put(t.Context(), archive.Item{Key: keyOf(key), Data: []byte(data)}); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func nobodyIs(t *testing.T, store archive.Store, user string) {
	t.Helper()
	items := whole(t, store)
	if len(items) != 4*periods*3 {
		t.Errorf("there are %d items", len(items))
	}
	for key, data := range items {
		if archive.Names(archive.Item{Key: keyOf(key), Data: []byte(data)}, user) {
			t.Errorf("%s names %q", key, user)
		}
	}
}

// All final boards of all series are gone over, each once; a second time nothing is
// left to do. Stopped after any step it goes on there.
func TestErasedFromEverywhere(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		on := fill(t, store)
		_, n, boards, err := run(t, store, archive.Mark{}, 0)
		if n != 4*periods || boards != on || err != nil {
			t.Errorf("%d periods, %d boards, %v; want %d and %d", n, boards, err, 4*periods, on)
		}
		nobodyIs(t, store, "ada lovelace")
		state := whole(t, store)
		read, written := store.Units()
		if _, n, boards, err = run(t, store, archive.Mark{}, 0); n != 4*periods || boards != 0 || err != nil {
			t.Errorf("again: %d periods, %d boards, %v", n, boards, err)
		}
		readAgain, writtenAgain := store.Units()
		if n := readAgain - read; n > 2*4*periods || writtenAgain != written {
			t.Errorf("again: %.1f units read and %.1f written", n, writtenAgain-written)
		}
		if diff := cmp.Diff(state, whole(t, store)); diff != "" {
			t.Errorf("again: (-before +after) %.500s", diff)
		}
	})
}

func TestErasureEverywhereGoesOn(t *testing.T) {
	t.Parallel()
	store := open(t)
	on := fill(t, store)
	var mark archive.Mark
	var seen, boards int64
	for rounds := 0; seen < 4*periods; rounds++ {
		next, p, b, err := run(t, store, mark, 1)
		if err != nil || p == 0 || rounds > 4*periods {
			t.Fatalf("after %+v: %d periods, %v", mark, p, err)
		}
		mark, seen, boards = next, seen+p, boards+b
	}
	if boards != on {
		t.Errorf("%d boards, want %d", boards, on)
	}
	nobodyIs(t, store, "ada lovelace")
	if _, p, _, err := run(t, store, mark, 0); p != 0 || err != nil {
		t.Errorf("after the end: %d periods, %v", p, err)
	}
	if _, _, _, err := run(t, store, archive.Mark{Board: "activity", Window: board.Day, Period: "yesterday"}, 0); err == nil {
		t.Error("a mark that is none was taken")
	}
}

func TestErasureEverywhereIsFinishedAfterCrashes(t *testing.T) {
	t.Parallel()
	clean := open(t)
	fill(t, clean)
	before := whole(t, clean)
	if _, _, _, err := run(t, clean, archive.Mark{}, 0); err != nil {
		t.Fatal(err)
	}
	want := whole(t, clean)
	for _, at := range []int{1, 2, 9, 17, 18, 30, 44, 61, 100} {
		store := copyOf(t, before)
		broken := &harness.Crash{Store: store, At: at, How: []string{harness.After, harness.Before}[at%2]}
		mark, _, _, err := run(t, broken, archive.Mark{}, 0)
		if !errors.Is(err, harness.ErrCrash) {
			t.Fatalf("crash at call %d: %v", at, err)
		}
		if _, _, _, err := run(t, store, mark, 0); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, whole(t, store)); diff != "" {
			t.Errorf("crash at call %d: (-without +with) %.500s", at, diff)
		}
	}
}

// Ids of every kind are erased from everywhere.
func TestAwkwardIDsAreErased(t *testing.T) {
	t.Parallel()
	store := open(t)
	users := []string{"7", "007", "-7", "18446744073709551615", "18446744073709551616", "{0}:a", `"quoted" 50%`, "#page#000000", "😀", "مرحبا", "6b3a2f10-0d5c-4b1e-9a7e-000000000029", "6B3A2F10-0D5C-4B1E-9A7E-000000000029"}
	var entries []board.Entry
	for i, user := range users {
		entries = append(entries, board.Entry{User: user, Packed: board.Pack(7, int64(i/4))})
	}
	slices.SortFunc(entries, board.Compare)
	writeBoard(t, store, "activity", day, entries)
	for i, user := range users {
		erase(t, store, user, true)
		holds(t, store, without(entries, users[:i+1]...), users[:i+1]...)
	}
}

// The state of an erasure is found by the user, does not name the user, and is
// changed by one at a time.
func TestErasureIsKept(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		a := archive.New(store)
		if _, err := a.Erasure(t.Context(), "ada lovelace"); !errors.Is(err, archive.ErrNoErasure) {
			t.Errorf("before there is one: %v", err)
		}
		begun, err := a.SaveErasure(t.Context(), "ada lovelace", archive.Erasure{State: archive.ErasureRunning})
		if err != nil {
			t.Fatal(err)
		}
		further := begun
		further.Step, further.Mark = "archive", archive.Mark{Board: "activity", Window: board.Day, Period: "2026-11-20"}
		further.Removed = map[string]int64{"boards": 2}
		further, err = a.SaveErasure(t.Context(), "ada lovelace", further)
		if err != nil {
			t.Fatal(err)
		}
		other := begun
		other.Step = "else"
		if _, err := a.SaveErasure(t.Context(), "ada lovelace", other); !errors.Is(err, archive.ErrExists) {
			t.Errorf("another in between: %v", err)
		}
		if _, err := a.SaveErasure(t.Context(), "ada lovelace", archive.Erasure{State: archive.ErasureRunning, Step: "new"}); !errors.Is(err, archive.ErrExists) {
			t.Errorf("a second one: %v", err)
		}
		got, err := a.Erasure(t.Context(), "ada lovelace")
		if err != nil || got.Step != "archive" || got.Mark != further.Mark || got.Removed["boards"] != 2 {
			t.Errorf("got %+v, %v", got, err)
		}
		got.State = archive.ErasureDone
		if _, err := a.SaveErasure(t.Context(), "ada lovelace", got); err != nil {
			t.Error(err)
		}
		items, err := store.Get(t.Context(), archive.Key{Partition: "ERASURE#" + fmt.Sprintf("%x", sha("ada lovelace")), Sort: "erasure"})
		want := `{"state":"done","step":"archive","mark":{"board":"activity","window":"day","period":"2026-11-20"},"removed":{"boards":2}}`
		if err != nil || len(items) != 1 || string(items[0].Data) != want {
			t.Errorf("kept: %s, %v", items, err)
		}
		mustDamage(t, store, items[0])
	})
}

func mustDamage(t *testing.T, store archive.Store, item archive.Item) {
	t.Helper()
	old := item.Data
	for _, data := range []string{"", "{", `{"state":"never"}`, `{"state":"done","mark":{"window":"decade"}}`} {
		item.Data = []byte(data)
		if err := store.Replace(t.Context(), item, old); err != nil {
			t.Fatal(err)
		}
		old = item.Data
		if _, err := archive.New(store).Erasure(t.Context(), "ada lovelace"); !errors.Is(err, archive.ErrDamaged) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
