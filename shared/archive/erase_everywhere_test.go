package archive_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/board"
)

const ada = "ada lovelace"

var everywhere = []archive.Series{
	{Board: "steps", Window: board.Day},
	{Board: "activity", Window: board.Month},
	{Board: "activity", Window: board.Day},
	{Board: "steps", Window: board.Month},
	{Board: "activity", Window: board.Day},
}

// periods is how many of each series fill writes: more than are searched concurrently.
const periods = 11

// fill writes boards of which every other one has ada, and returns their number.
func fill(t *testing.T, store archive.Store) (on int64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(31, 1))
	for _, s := range everywhere[:4] {
		p := board.PeriodOf(s.Window, board.DateOf(2026, 11, 20))
		for i := range periods {
			entries := randomBoard(rng, 110)
			if i%2 == 0 {
				entries[rng.IntN(len(entries))].User = ada
				slices.SortFunc(entries, board.Compare)
				on++
			}
			writeBoard(t, store, s.Board, p, entries)
			p = p.Prev()
		}
	}
	return on
}

// run erases ada from everywhere until an error or so many steps, and returns the sum of
// the steps with the last one's mark.
func run(t *testing.T, store archive.Store, after archive.Mark, steps int) (sum archive.Erased, err error) {
	t.Helper()
	sum.Mark = after
	for step, err := range archive.New(store).EraseEverywhere(t.Context(), ada, everywhere, after) {
		if err != nil {
			return sum, err
		}
		sum = archive.Erased{Mark: step.Mark, Periods: sum.Periods + step.Periods, Boards: sum.Boards + step.Boards}
		if steps--; steps == 0 {
			break
		}
	}
	return sum, nil
}

// expectRun erases ada from everywhere and checks the number of periods and boards.
func expectRun(t *testing.T, store archive.Store, after archive.Mark, wantPeriods, wantBoards int64) {
	t.Helper()
	if got, err := run(t, store, after, 0); err != nil || got.Periods != wantPeriods || got.Boards != wantBoards {
		t.Errorf("after %+v: %+v, %v, want %d periods and %d boards", after, got, err, wantPeriods, wantBoards)
	}
}

func adaIsNowhere(t *testing.T, store archive.Store) {
	t.Helper()
	items := dump(t, store)
	if len(items) != 4*periods*3 {
		t.Errorf("there are %d items", len(items))
	}
	for key, data := range items {
		if archive.Names(archive.Item{Key: key, Data: []byte(data)}, ada) {
			t.Errorf("%s names %q", key, ada)
		}
	}
}

// Every final board of every series is searched once; a second run changes nothing and
// reads little.
func TestErasedFromEverywhere(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		expectRun(t, store, archive.Mark{}, 0, 0)
		on := fill(t, store)
		expectRun(t, store, archive.Mark{}, 4*periods, on)
		adaIsNowhere(t, store)
		items := dump(t, store)
		read, written := store.Units()
		expectRun(t, store, archive.Mark{}, 4*periods, 0)
		readAgain, writtenAgain := store.Units()
		if n := readAgain - read; n > 2*4*periods || writtenAgain != written {
			t.Errorf("again: %.1f units read and %.1f written", n, writtenAgain-written)
		}
		sameItems(t, store, items, "again")
	})
}

// Interrupted after any step, the erasure continues there.
func TestErasureEverywhereContinues(t *testing.T) {
	t.Parallel()
	store := open(t)
	on := fill(t, store)
	var sum archive.Erased
	for rounds := 0; sum.Periods < 4*periods; rounds++ {
		step, err := run(t, store, sum.Mark, 1)
		if err != nil || step.Periods == 0 || rounds > 4*periods {
			t.Fatalf("after %+v: %+v, %v", sum, step, err)
		}
		sum = archive.Erased{Mark: step.Mark, Periods: sum.Periods + step.Periods, Boards: sum.Boards + step.Boards}
	}
	if sum.Boards != on {
		t.Errorf("%d boards, want %d", sum.Boards, on)
	}
	adaIsNowhere(t, store)
	expectRun(t, store, sum.Mark, 0, 0)
	invalid := archive.Mark{Board: "activity", Window: board.Day, Period: "yesterday"}
	if _, err := run(t, store, invalid, 0); err == nil {
		t.Error("an invalid mark is accepted")
	}
}

func TestErasureEverywhereIsCompletedAfterCrashes(t *testing.T) {
	t.Parallel()
	clean := open(t)
	on := fill(t, clean)
	before := dump(t, clean)
	expectRun(t, clean, archive.Mark{}, 4*periods, on)
	want := dump(t, clean)
	for _, at := range []int{1, 2, 9, 17, 18, 30, 44, 61, 100} {
		store := copyOf(t, before)
		how := []string{harness.After, harness.Before}[at%2]
		done, err := run(t, &harness.Crash{Store: store, At: at, How: how}, archive.Mark{}, 0)
		if !errors.Is(err, harness.ErrCrash) {
			t.Fatalf("crash at call %d: %v", at, err)
		}
		if _, err := run(t, store, done.Mark, 0); err != nil {
			t.Fatal(err)
		}
		sameItems(t, store, want, "crash at call %d", at)
	}
}

func TestIDsOfEveryKindAreErased(t *testing.T) {
	t.Parallel()
	users := []string{
		"7", "007", "-7", "18446744073709551615", "18446744073709551616", "{0}:a", `"quoted" 50%`, "#page#000000",
		"😀", "مرحبا", "6b3a2f10-0d5c-4b1e-9a7e-000000000029", "6B3A2F10-0D5C-4B1E-9A7E-000000000029",
	}
	var entries []board.Entry
	for i, user := range users {
		entries = append(entries, board.Entry{User: user, Packed: board.Pack(7, int64(i/4))})
	}
	slices.SortFunc(entries, board.Compare)
	store := written(t, entries)
	for i, user := range users {
		erase(t, store, user, true)
		holds(t, store, without(entries, users[:i+1]...), users[:i+1]...)
	}
}

// The state of an erasure is found by the user's id, does not have the id, and is changed
// by one process at a time.
func TestStateOfAnErasure(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		a := archive.New(store)
		save := func(e archive.Erasure, want error) archive.Erasure {
			t.Helper()
			saved, err := a.SaveErasure(t.Context(), ada, e)
			if !errors.Is(err, want) {
				t.Errorf("save %+v: %v, want %v", e, err, want)
			}
			return saved
		}
		if _, err := a.Erasure(t.Context(), ada); !errors.Is(err, archive.ErrNoErasure) {
			t.Errorf("before there is one: %v", err)
		}
		begun := save(archive.Erasure{State: archive.ErasureRunning}, nil)
		further, other := begun, begun
		further.Step, further.Mark = "archive", archive.Mark{Board: "activity", Window: board.Day, Period: "2026-11-20"}
		further.Removed = map[string]int64{"boards": 2}
		further = save(further, nil)
		other.Step = "else"
		save(other, archive.ErrExists)
		save(archive.Erasure{State: archive.ErasureRunning, Step: "new"}, archive.ErrExists)
		got, err := a.Erasure(t.Context(), ada)
		if err != nil || got.Step != "archive" || got.Mark != further.Mark || got.Removed["boards"] != 2 {
			t.Errorf("got %+v, %v", got, err)
		}
		got.State = archive.ErasureDone
		save(got, nil)
		items := itemsIn(t, store, fmt.Sprintf("ERASURE#%x", sha256.Sum256([]byte(ada))))
		want := `{"state":"done","step":"archive",` +
			`"mark":{"board":"activity","window":"day","period":"2026-11-20"},"removed":{"boards":2}}`
		if len(items) != 1 || items[0].Sort != "erasure" || string(items[0].Data) != want {
			t.Fatalf("stored: %s", items)
		}
		for _, data := range []string{"", "{", `{"state":"never"}`, `{"state":"done","mark":{"window":"decade"}}`} {
			old := items[0].Data
			items[0].Data = []byte(data)
			replace(t, store, items[0], old)
			if _, err := a.Erasure(t.Context(), ada); !errors.Is(err, archive.ErrDamaged) {
				t.Errorf("%q: %v", data, err)
			}
		}
	})
}
