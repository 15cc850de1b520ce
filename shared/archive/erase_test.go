package archive_test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/archive/table"
	"laurel/shared/board"
)

// onBoth runs a test on an embedded store and on a table.
func onBoth(t *testing.T, test func(t *testing.T, store archive.Store)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) {
		t.Parallel()
		test(t, open(t))
	})
	t.Run("table", func(t *testing.T) {
		t.Parallel()
		endpoint, name := testserver.Table(t)
		store, err := table.Open(t.Context(), table.Options{Name: name, Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		test(t, store)
	})
}

func writeBoard(t *testing.T, store archive.Store, name string, p board.Period, entries []board.Entry) {
	t.Helper()
	if _, err := archive.New(store).Write(t.Context(), name, p, sourceOf(entries), 0); err != nil {
		t.Fatal(err)
	}
}

func erase(t *testing.T, store archive.Store, user string, want bool) {
	t.Helper()
	if was, err := archive.New(store).Erase(t.Context(), "activity", day, user); was != want || err != nil {
		t.Fatalf("%q was erased: %t, %v, want %t", user, was, err, want)
	}
}

// without is the board with some users erased.
func without(entries []board.Entry, users ...string) []board.Entry {
	left := slices.Clone(entries)
	for i := range left {
		if slices.Contains(users, left[i].User) {
			left[i].User = ""
		}
	}
	return left
}

// pick is some users of a board: the first, the last, those at the ends of the top
// and of a page, and others.
func pick(rng *rand.Rand, entries []board.Entry) []string {
	n := len(entries)
	var users []string
	for _, i := range []int{0, n - 1, 98, 99, 100, archive.PageLen - 1, archive.PageLen, rng.IntN(n), rng.IntN(n), rng.IntN(n)} {
		if i < n && !slices.Contains(users, entries[i].User) {
			users = append(users, entries[i].User)
		}
	}
	return users
}

// holds checks the board of the day, whole: its order, what its items sum up to,
// and that nobody of those who were erased is in any of them.
func holds(t *testing.T, store archive.Store, want []board.Entry, erased ...string) {
	t.Helper()
	a := archive.New(store)
	var got []board.Entry
	for e, err := range a.Entries(t.Context(), "activity", day) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the board (-want +got):\n%.2000s", diff)
	}
	m, err := a.Manifest(t.Context(), "activity", day)
	if err != nil {
		t.Fatal(err)
	}
	if m.Erased != int64(len(erased)) {
		t.Errorf("%d are erased, want %d", m.Erased, len(erased))
	}
	var sum uint64
	for key, data := range dump(t, store, day) {
		item := archive.Item{Key: keyOf(key), Data: []byte(data)}
		if item.Partition == "activity#day" && item.Sort != day.String() {
			continue // another day's
		}
		for _, user := range erased {
			if archive.Names(item, user) {
				t.Errorf("%s names %q", key, user)
			}
		}
		if item.Partition != "activity#day" {
			sum += uint64(crc32.Checksum(item.Data, crc32.MakeTable(crc32.Castagnoli)))
		}
	}
	if sum != m.Sum {
		t.Errorf("the items sum up to %d, the manifest says %d", sum, m.Sum)
	}
}

func keyOf(text string) archive.Key {
	partition, sort, _ := strings.Cut(text, " ")
	return archive.Key{Partition: partition, Sort: sort}
}

// An erased user's entry keeps its place and its score, and everybody else's answer
// is what it was.
func TestErasedKeepsItsPlace(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 100, 101, archive.PageLen, archive.PageLen + 1, 2*archive.PageLen + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(21, uint64(n)))
			store, other := open(t), open(t)
			a := archive.New(store)
			today, yesterday := randomBoard(rng, n), randomBoard(rng, n/2+1)
			writeBoard(t, store, "activity", day, today)
			writeBoard(t, store, "activity", before, yesterday)
			writeBoard(t, other, "activity", day, today)
			writeBoard(t, other, "activity", before, yesterday)
			users := pick(rng, today)
			for _, user := range users {
				erase(t, store, user, true)
				erase(t, store, user, false)
			}
			erase(t, store, "nobody", false)
			left := without(today, users...)
			holds(t, store, left, users...)
			for range 60 {
				v := board.View{Board: "activity", Period: day, Limit: rng.Int64N(101), Around: rng.Int64N(26), Offset: rng.Int64N(int64(n))}
				v.User = today[rng.IntN(n)].User
				if rng.IntN(2) == 0 {
					v.User = users[rng.IntN(len(users))]
				}
				got, err := a.Read(t.Context(), v)
				if err != nil {
					t.Fatalf("%+v: %v", v, err)
				}
				want := modelPage(v, left, yesterday)
				if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(p []board.Place) []board.Place { return append([]board.Place{}, p...) })); diff != "" {
					t.Fatalf("%+v (-model +archive):\n%s", v, diff)
				}
			}
			slices.Reverse(users)
			for _, user := range users {
				erase(t, other, user, true)
			}
			if diff := cmp.Diff(dump(t, store, day), dump(t, other, day)); diff != "" {
				t.Errorf("in another order it is not the same (-one +other): %.500s", diff)
			}
		})
	}
}

// What expires goes on to.
func TestErasedExpiresAsBefore(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		const expires = 1 << 40
		entries := randomBoard(rand.New(rand.NewPCG(22, 1)), 150)
		if _, err := archive.New(store).Write(t.Context(), "activity", day, sourceOf(entries), expires); err != nil {
			t.Fatal(err)
		}
		erase(t, store, entries[120].User, true)
		for _, partition := range []string{"activity#day", "activity#day#2026-11-20"} {
			items, err := store.Descend(t.Context(), partition, "\U0010FFFF", 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range items {
				if item.Expires != expires {
					t.Errorf("%s expires at %d", item.Key, item.Expires)
				}
			}
		}
	})
}

// A crash at any call leaves a board with or without the user, which is read
// without an error; the same erasure again finishes it, and so does another one.
func TestErasureIsFinishedAfterEveryCrash(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(23, 1)), archive.PageLen+200)
	clean := open(t)
	writeBoard(t, clean, "activity", day, entries)
	before := dump(t, clean, day)
	for _, at := range []int{5, 2_000, archive.PageLen + 150} {
		user, other := entries[at].User, entries[at+1].User
		t.Run(fmt.Sprint("place ", at), func(t *testing.T) {
			t.Parallel()
			for call := 1; ; call++ {
				ended := false
				for _, how := range []string{harness.Before, harness.After} {
					store := copyOf(t, before)
					broken := &harness.Crash{Store: store, At: call, How: how}
					_, err := archive.New(broken).Erase(t.Context(), "activity", day, user)
					if ended = err == nil; ended {
						break
					}
					if !errors.Is(err, harness.ErrCrash) {
						t.Fatalf("crash at call %d: %v", call, err)
					}
					eitherWay(t, store, entries, user)
					if how == harness.After { // somebody else comes by first
						erase(t, store, other, true)
						if _, err := archive.New(store).Erase(t.Context(), "activity", day, user); err != nil {
							t.Fatal(err)
						}
						holds(t, store, without(entries, user, other), user, other)
						continue
					}
					if _, err := archive.New(store).Erase(t.Context(), "activity", day, user); err != nil {
						t.Fatal(err)
					}
					holds(t, store, without(entries, user), user)
				}
				if ended {
					if call < 8 {
						t.Errorf("there are only %d calls", call)
					}
					return
				}
			}
		})
	}
}

// eitherWay reads a board on which a user may have been erased or not, in every
// way, and wants one of the two.
func eitherWay(t *testing.T, store archive.Store, entries []board.Entry, user string) {
	t.Helper()
	a := archive.New(store)
	rank := slices.IndexFunc(entries, func(e board.Entry) bool { return e.User == user })
	for _, v := range []board.View{
		{Limit: 100, Offset: max(int64(rank)-50, 0)},
		{Limit: 100, User: user, Around: 3},
		{User: entries[rank+1].User, Around: 3},
	} {
		v.Board, v.Period = "activity", day
		got, err := a.Read(t.Context(), v)
		if err != nil {
			t.Fatalf("%+v: %v", v, err)
		}
		with, gone := modelPage(v, entries, nil), modelPage(v, without(entries, user), nil)
		if !cmp.Equal(with, got) && !cmp.Equal(gone, got) {
			t.Fatalf("%+v: neither with nor without %q:\n%s", v, user, cmp.Diff(gone, got))
		}
	}
}

// Many are erased at once, some by two, while others read: all are gone, and no
// reader meets an error or a place that is another's.
func TestErasuresBesideEachOtherAndReaders(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		rng := rand.New(rand.NewPCG(24, 1))
		entries := randomBoard(rng, archive.PageLen+200)
		writeBoard(t, store, "activity", day, entries)
		users := pick(rng, entries)
		var erasers, readers sync.WaitGroup
		over, end := context.WithCancel(t.Context())
		for range 2 {
			readers.Go(func() { readOn(over, t, archive.New(store), entries, users) })
		}
		for i := range len(users) + 4 {
			erasers.Go(func() {
				if _, err := archive.New(store).Erase(t.Context(), "activity", day, users[i%len(users)]); err != nil {
					t.Error(err)
				}
			})
		}
		erasers.Wait()
		end()
		readers.Wait()
		holds(t, store, without(entries, users...), users...)
	})
}

func readOn(over context.Context, t *testing.T, a *archive.Archive, entries []board.Entry, users []string) {
	t.Helper()
	for i := 0; over.Err() == nil; i++ {
		user := users[i%len(users)]
		rank := slices.IndexFunc(entries, func(e board.Entry) bool { return e.User == user })
		page, err := a.Read(t.Context(), board.View{Board: "activity", Period: day, Offset: max(int64(rank)-50, 0), Limit: 100, User: user, Around: 2})
		if err != nil {
			t.Error(err)
			return
		}
		if r := page.Standing.Rank; r != 0 && r != int64(rank+1) {
			t.Errorf("%q stands at %d, not at %d", user, r, rank+1)
		}
		for _, p := range append(page.Places, page.Neighbours...) {
			was := entries[p.Rank-1]
			if p.Packed != was.Packed || (p.User != was.User && (!p.Erased() || !slices.Contains(users, was.User))) {
				t.Errorf("place %d is %q, was %q", p.Rank, p.User, was.User)
			}
		}
	}
}

// An erased entry among its equals does not hide that the others are out of order.
func TestOrderIsCheckedAroundTheErased(t *testing.T) {
	t.Parallel()
	entry := func(user string, ticks int64) board.Entry {
		return board.Entry{User: user, Packed: board.Pack(7, ticks)}
	}
	for _, c := range []struct {
		entries []board.Entry
		damaged bool
	}{
		{[]board.Entry{entry("", 1), entry("a", 1), entry("", 1), entry("", 1), entry("b", 1), entry("", 2)}, false},
		{[]board.Entry{entry("b", 1), entry("", 1), entry("a", 1)}, true},
		{[]board.Entry{entry("a", 1), entry("", 1), entry("a", 1)}, true},
		{[]board.Entry{entry("a", 2), entry("", 1)}, true},
		{[]board.Entry{entry("", 2), entry("a", 1)}, true},
	} {
		got, err := archive.OpenAny('P', archive.Page(c.entries))
		if errors.Is(err, archive.ErrDamaged) != c.damaged || (!c.damaged && !slices.Equal(got, c.entries)) {
			t.Errorf("%v: %v, %v", c.entries, got, err)
		}
	}
}
