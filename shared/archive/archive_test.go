package archive_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/board"
)

func TestFinalBoardReadsBack(t *testing.T) {
	t.Parallel()
	const page = archive.PageLen
	for _, n := range []int{0, 1, 99, 100, 101, page - 1, page, page + 1, 3*page + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, uint64(n)))
			today, yesterday := randomBoard(rng, n), randomBoard(rng, n/2+1)
			store := written(t, today)
			writeBoard(t, store, "activity", before, yesterday)
			readsAsModel(t, rng, store, today, yesterday, "nobody")
			if !slices.Equal(entriesOf(t, store), today) {
				t.Error("the whole board is not what it was")
			}
		})
	}
}

func TestMissingBoardIsNotFinal(t *testing.T) {
	t.Parallel()
	a := archive.New(open(t))
	_, err := a.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 30, User: "ada"})
	_, _, friendsErr := a.Friends(t.Context(), "activity", day, []string{"ada"})
	if !errors.Is(err, archive.ErrNotFinal) || !errors.Is(friendsErr, archive.ErrNotFinal) {
		t.Errorf("read: %v, friends: %v", err, friendsErr)
	}
	if rank, err := a.Rank(t.Context(), "activity", day, "ada"); rank != 0 || err != nil {
		t.Errorf("rank %d, %v", rank, err)
	}
}

func TestPeriodsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	store := open(t)
	a := archive.New(store)
	for i := range 5 {
		p := board.PeriodOf(board.Day, board.DateOf(2026, 11, 28+i))
		writeBoard(t, store, "activity", p, randomBoard(rand.New(rand.NewPCG(3, 4)), i+1))
	}
	list := func(below board.Period, limit int, want string) []archive.Final {
		t.Helper()
		finals, err := a.Periods(t.Context(), "activity", board.Day, below, limit)
		if got := fmt.Sprint(finals); err != nil || got != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
		return finals
	}
	newest := list(board.Period{}, 3, "[{2026-12-02 5} {2026-12-01 4} {2026-11-30 3}]")
	list(newest[2].Period, 30, "[{2026-11-29 2} {2026-11-28 1}]")
}

// A crash at any call, then a second run, gives the bytes of a run without a crash, and
// until the manifest exists the period is not final (promise 5).
func TestPromise5EveryCrashPointIsMended(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(5, 6)), 2*archive.PageLen+9)
	want := dump(t, written(t, entries))
	everyCrash(t, nil, func(store archive.Store) error {
		_, err := archive.New(store).Write(t.Context(), "activity", day, sourceOf(entries), 0)
		return err
	}, func(store archive.Store, at int, _ string) {
		if there := dump(t, store); len(there) > 0 && len(there) != len(want) {
			t.Fatalf("crash at call %d: final with %d of %d items", at, len(there), len(want))
		}
		writeBoard(t, store, "activity", day, entries)
		sameItems(t, store, want, "crash at call %d", at)
	})
}

func TestConcurrentRunsWriteOneBoard(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(7, 8)), archive.PageLen+9)
	store := open(t)
	concurrently(t, 8, func(int) error {
		_, err := archive.New(store).Write(t.Context(), "activity", day, sourceOf(entries), 0)
		return err
	})
	sameItems(t, store, dump(t, written(t, entries)), "together")
}

// A run whose board is removed while it reads, because another run wrote it, changes
// nothing; a run alone does not make an incomplete board final.
func TestVanishingBoardIsNotMadeFinal(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(9, 10)), 3*archive.PageLen)
	short := archive.Source{Total: int64(len(entries)), Entries: func(ctx context.Context) iter.Seq2[board.Entry, error] {
		return sourceOf(entries[:archive.PageLen+100]).Entries(ctx)
	}}
	store := open(t)
	a := archive.New(store)
	if _, err := a.Write(t.Context(), "activity", day, short, 0); !errors.Is(err, archive.ErrChanged) {
		t.Errorf("alone: %v, want ErrChanged", err)
	}
	if _, err := a.Manifest(t.Context(), "activity", day); !errors.Is(err, archive.ErrNotFinal) {
		t.Errorf("alone: %v, want ErrNotFinal", err)
	}
	writeBoard(t, store, "activity", day, entries)
	before := dump(t, store)
	if _, err := a.Write(t.Context(), "activity", day, short, 0); err != nil {
		t.Errorf("beside a finished run: %v", err)
	}
	sameItems(t, store, before, "beside a finished run")
}

// Items that an unfinished run left of a board that was opened again are replaced,
// wherever the run ended, so everybody is found in the index of the later board.
func TestItemsOfAnEarlierBoardAreReplaced(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 12))
	old, now := randomBoard(rng, 3*archive.PageLen), randomBoard(rng, archive.PageLen+1)
	want := dump(t, written(t, now))
	for _, at := range []int{3, 6, 8} { // among the pages, among the index, while it is read back
		store := open(t)
		a := archive.New(store)
		// The second run has replaced some items and stopped, too.
		for i, entries := range [][]board.Entry{old, now} {
			broken := archive.New(&harness.Crash{Store: store, At: at + 4*i, How: harness.Before})
			if _, err := broken.Write(t.Context(), "activity", day, sourceOf(entries), 0); !errors.Is(err, harness.ErrCrash) {
				t.Fatal(err)
			}
		}
		writeBoard(t, store, "activity", day, now)
		sameItems(t, store, want, "after a crash at call %d", at)
		for i := 0; i < len(now); i += 97 {
			if rank, err := a.Rank(t.Context(), "activity", day, now[i].User); err != nil || rank != int64(i+1) {
				t.Fatalf("after a crash at call %d: %s has rank %d, %v, want %d", at, now[i].User, rank, err, i+1)
			}
		}
		if !slices.Equal(entriesOf(t, store), now) {
			t.Errorf("after a crash at call %d: the board is not the later one", at)
		}
	}
}

// A damaged item is an error that names it; reads that do not need it succeed.
func TestDamagedItemIsNamed(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(13, 14)), 2*archive.PageLen)
	store := written(t, entries)
	a := archive.New(store)
	pages := itemsIn(t, store, "activity#day#2026-11-20")[:2] // the second page, then the first
	key, good := pages[0].Key, pages[0].Data
	flipped := slices.Clone(good)
	flipped[len(flipped)/2] ^= 1
	deep := board.View{Board: "activity", Period: day, Offset: archive.PageLen + 5, Limit: 30}
	top := board.View{Board: "activity", Period: day, Limit: 30, User: entries[7].User}
	current := good
	for name, data := range map[string][]byte{
		"a bit": flipped, "truncated": good[:len(good)-3], "empty": {}, "another page's": pages[1].Data,
	} {
		replace(t, store, archive.Item{Key: key, Data: data}, current)
		current = data
		if _, err := a.Read(t.Context(), deep); !errors.Is(err, archive.ErrDamaged) || !contains(err, key.Sort) {
			t.Errorf("%s: %v, want an error that names %s", name, err, key.Sort)
		}
		if _, err := a.Read(t.Context(), top); err != nil {
			t.Errorf("%s: the rest is not readable: %v", name, err)
		}
	}
}

// A missing item of the index is damage, not a user who was never there.
func TestMissingIndexItemIsDamage(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(19, 20)), 200)
	store := written(t, entries)
	a := archive.New(store)
	key := archive.Key{Partition: "activity#day#2026-11-20", Sort: "index#0000000000"}
	if err := store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Rank(t.Context(), "activity", day, entries[3].User); !errors.Is(err, archive.ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := a.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 30}); err != nil {
		t.Errorf("the page needs no index: %v", err)
	}
}

// modelFriends returns the places of users on the whole board.
func modelFriends(entries []board.Entry, users []string) []board.Place {
	var places []board.Place
	for i, e := range entries {
		if slices.Contains(users, e.User) {
			places = append(places, board.Place{Rank: int64(i + 1), Entry: e})
		}
	}
	return places
}

// modelStandings returns the standings of users on the whole board.
func modelStandings(entries []board.Entry, users []string) []board.Standing {
	standings := make([]board.Standing, len(users))
	for i, user := range users {
		rank := slices.IndexFunc(entries, func(e board.Entry) bool { return e.User == user }) + 1
		if rank == 0 {
			standings[i] = *board.OffBoard(int64(len(entries)), 0)
			continue
		}
		above := entries[max(rank-2, 0)].Packed.Score()
		standings[i] = board.NewStanding(int64(rank), entries[rank-1].Packed, int64(len(entries)), above, 0)
	}
	return standings
}

// Friends have the places of the board, and standings: few or many, on a board of any size, in any
// order and named twice.
func TestFriendsHaveThePlacesOfTheBoard(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 150, archive.PageLen, archive.PageLen + 1, 9*archive.PageLen + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(41, uint64(n)))
			entries := randomBoard(rng, n)
			store := written(t, entries)
			if n > 2 {
				erase(t, store, entries[2].User, true)
				entries = without(entries, entries[2].User)
			}
			for _, k := range []int{0, 1, 2, 8, 60, 500} {
				users := []string{"nobody", "nobody else"}
				for range min(k, n*k) {
					users = append(users, entries[rng.IntN(n)].User)
				}
				for _, first := range []int{archive.PageLen, 5 * archive.PageLen} { // of a page
					if first < n && k > 0 {
						users = append(users, entries[first].User)
					}
				}
				users = slices.DeleteFunc(users, func(user string) bool { return user == "" })
				standings, err := archive.New(store).Standings(t.Context(), "activity", day, users)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(modelStandings(entries, users), standings); diff != "" {
					t.Errorf("%d users of %d (-model +archive):\n%s", k, n, diff)
				}
				got, total, err := archive.New(store).Friends(t.Context(), "activity", day, users)
				if err != nil || total != int64(n) {
					t.Fatalf("%d friends: %d users, %v", k, total, err)
				}
				if diff := cmp.Diff(modelFriends(entries, users), got); diff != "" {
					t.Errorf("%d friends of %d (-model +archive):\n%s", k, n, diff)
				}
			}
		})
	}
}

// Friends take at most 19 units each and a page, and at most the units of the board.
func TestUnitsOfFriendsAreBounded(t *testing.T) {
	t.Parallel()
	const users = 20 * archive.PageLen
	store := manyWritten(t, users)
	rng := rand.New(rand.NewPCG(42, 1))
	for _, k := range []int{1, 3, 6, 7, 300, 5_000} {
		var friends []string
		for range k {
			friends = append(friends, userAt(rng.Int64N(users), users))
		}
		before, _ := store.Units()
		places, _, err := archive.New(store).Friends(t.Context(), "activity", day, friends)
		if err != nil || len(places) == 0 {
			t.Fatal(len(places), err)
		}
		after, _ := store.Units()
		if units, most := after-before, min(float64(k*19+12), 2.5*users/1_000+1); units > most {
			t.Errorf("%d friends: %.1f units, want at most %.1f", k, units, most)
		}
	}
}
