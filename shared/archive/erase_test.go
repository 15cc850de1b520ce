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
	"laurel/shared/archive"
	"laurel/shared/board"
)

func erase(t *testing.T, store archive.Store, user string, want bool) {
	t.Helper()
	if was, err := archive.New(store).Erase(t.Context(), "activity", day, user); was != want || err != nil {
		t.Fatalf("%q was erased: %t, %v, want %t", user, was, err, want)
	}
}

// without returns the board with some users erased.
func without(entries []board.Entry, users ...string) []board.Entry {
	left := slices.Clone(entries)
	for i := range left {
		if slices.Contains(users, left[i].User) {
			left[i].User = ""
		}
	}
	return left
}

// pick returns some users of a board: the first, the last, those at the ends of the top
// and of a page, and others.
func pick(rng *rand.Rand, entries []board.Entry) []string {
	n := len(entries)
	places := []int{0, n - 1, 98, 99, 100, archive.PageLen - 1, archive.PageLen, rng.IntN(n), rng.IntN(n), rng.IntN(n)}
	var users []string
	for _, i := range places {
		if i < n && !slices.Contains(users, entries[i].User) {
			users = append(users, entries[i].User)
		}
	}
	return users
}

// holds checks the whole board of the day: its order, the sum of its items' checksums,
// and that none of its items names an erased user.
func holds(t *testing.T, store archive.Store, want []board.Entry, erased ...string) {
	t.Helper()
	if diff := cmp.Diff(want, entriesOf(t, store)); diff != "" {
		t.Fatalf("the board (-want +got):\n%.2000s", diff)
	}
	m, err := archive.New(store).Manifest(t.Context(), "activity", day)
	if err != nil || m.Erased != int64(len(erased)) {
		t.Fatalf("%d are erased, %v, want %d", m.Erased, err, len(erased))
	}
	var sum uint64
	for key, data := range dump(t, store) {
		body := key.Partition == "activity#day#2026-11-20"
		if !body && key.String() != "activity#day 2026-11-20" {
			continue // another board's
		}
		for _, user := range erased {
			if archive.Names(archive.Item{Key: key, Data: []byte(data)}, user) {
				t.Errorf("%s names %q", key, user)
			}
		}
		if body {
			sum += uint64(crc32.Checksum([]byte(data), crc32.MakeTable(crc32.Castagnoli)))
		}
	}
	if sum != m.Sum {
		t.Errorf("the items sum up to %d, the manifest says %d", sum, m.Sum)
	}
}

// An erased user's entry keeps its place and its score, and everybody else's answer is
// what it was; the order of erasures does not matter.
func TestErasedKeepsItsPlace(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 100, 101, archive.PageLen, archive.PageLen + 1, 2*archive.PageLen + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(21, uint64(n)))
			today, yesterday := randomBoard(rng, n), randomBoard(rng, n/2+1)
			store, other := written(t, today), written(t, today)
			users := pick(rng, today)
			for i, user := range users {
				erase(t, store, user, true)
				erase(t, store, user, false)
				erase(t, other, users[len(users)-1-i], true)
			}
			erase(t, store, "nobody", false)
			left := without(today, users...)
			holds(t, store, left, users...)
			sameItems(t, other, dump(t, store), "in another order")
			writeBoard(t, store, "activity", before, yesterday)
			readsAsModel(t, rng, store, left, yesterday, users...)
		})
	}
}

func TestErasureKeepsTheExpiry(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		const expires = 1 << 40
		entries := randomBoard(rand.New(rand.NewPCG(22, 1)), 150)
		if _, err := archive.New(store).Write(t.Context(), "activity", day, sourceOf(entries), expires); err != nil {
			t.Fatal(err)
		}
		erase(t, store, entries[120].User, true)
		for _, item := range append(itemsIn(t, store, "activity#day"), itemsIn(t, store, "activity#day#2026-11-20")...) {
			if item.Expires != expires {
				t.Errorf("%s expires at %d", item.Key, item.Expires)
			}
		}
	})
}

// A crash at any call leaves a board with or without the user, which is read without an
// error; the same erasure again completes it, and so does another one.
func TestErasureIsCompletedAfterEveryCrash(t *testing.T) {
	t.Parallel()
	entries := randomBoard(rand.New(rand.NewPCG(23, 1)), archive.PageLen+200)
	items := dump(t, written(t, entries))
	for _, at := range []int{5, 2_000, archive.PageLen + 150} {
		user, other := entries[at].User, entries[at+1].User
		t.Run(fmt.Sprint("place ", at), func(t *testing.T) {
			t.Parallel()
			again := func(store archive.Store) error {
				_, err := archive.New(store).Erase(t.Context(), "activity", day, user)
				return err
			}
			everyCrash(t, items, again, func(store archive.Store, _ int, how string) {
				eitherWay(t, store, entries, user)
				erased := []string{user}
				if how == harness.After { // somebody else is erased first
					erase(t, store, other, true)
					erased = append(erased, other)
				}
				if err := again(store); err != nil {
					t.Fatal(err)
				}
				holds(t, store, without(entries, erased...), erased...)
			})
		})
	}
}

// eitherWay reads a board on which a user may have been erased or not, in every way, and
// wants one of the two.
func eitherWay(t *testing.T, store archive.Store, entries []board.Entry, user string) {
	t.Helper()
	rank := rankIn(entries, user)
	for _, v := range []board.View{
		{Limit: 100, Offset: max(rank-51, 0)},
		{Limit: 100, User: user, Around: 3},
		{User: entries[rank].User, Around: 3},
	} {
		v.Board, v.Period = "activity", day
		got, err := archive.New(store).Read(t.Context(), v)
		if err != nil {
			t.Fatalf("%+v: %v", v, err)
		}
		with, gone := modelPage(v, entries, nil), modelPage(v, without(entries, user), nil)
		if !cmp.Equal(with, got) && !cmp.Equal(gone, got) {
			t.Fatalf("%+v: neither with nor without %q:\n%s", v, user, cmp.Diff(gone, got))
		}
	}
}

// Many users are erased concurrently, some twice, while others read: all are gone, and no
// reader meets an error or another user's place.
func TestConcurrentErasuresAndReaders(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, store archive.Store) {
		t.Helper()
		rng := rand.New(rand.NewPCG(24, 1))
		entries := randomBoard(rng, archive.PageLen+200)
		writeBoard(t, store, "activity", day, entries)
		users := pick(rng, entries)
		var readers sync.WaitGroup
		over, end := context.WithCancel(t.Context())
		for range 2 {
			readers.Go(func() { readOn(over, t, archive.New(store), entries, users) })
		}
		concurrently(t, len(users)+4, func(i int) error {
			_, err := archive.New(store).Erase(t.Context(), "activity", day, users[i%len(users)])
			return err
		})
		end()
		readers.Wait()
		holds(t, store, without(entries, users...), users...)
	})
}

func readOn(over context.Context, t *testing.T, a *archive.Archive, entries []board.Entry, users []string) {
	t.Helper()
	for i := 0; over.Err() == nil; i++ {
		v := board.View{Board: "activity", Period: day, Limit: 100, User: users[i%len(users)], Around: 2}
		rank := rankIn(entries, v.User)
		v.Offset = max(rank-51, 0)
		page, err := a.Read(t.Context(), v)
		if err != nil {
			t.Error(err)
			return
		}
		if r := page.Standing.Rank; r != 0 && r != rank {
			t.Errorf("%q stands at %d, not at %d", v.User, r, rank)
		}
		for _, p := range append(page.Places, page.Neighbours...) {
			was := entries[p.Rank-1]
			if p.Packed != was.Packed || (p.User != was.User && (!p.Erased() || !slices.Contains(users, was.User))) {
				t.Errorf("place %d is %q, was %q", p.Rank, p.User, was.User)
			}
		}
	}
}

// An erased entry among equal scores does not hide that the others are out of order.
func TestOrderIsCheckedAroundErasedEntries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		entries string // users, each with its ticks; "-" is an erased one
		damaged bool
	}{
		{"-1 a1 -1 -1 b1 -2", false},
		{"b1 -1 a1", true},
		{"a1 -1 a1", true},
		{"a2 -1", true},
		{"-2 a1", true},
	} {
		var entries []board.Entry
		for text := range strings.FieldsSeq(c.entries) {
			user := strings.Trim(text[:1], "-")
			entries = append(entries, board.Entry{User: user, Packed: board.Pack(7, int64(text[1]-'0'))})
		}
		got, err := archive.OpenAny('P', archive.Page(entries))
		if errors.Is(err, archive.ErrDamaged) != c.damaged || (!c.damaged && !slices.Equal(got, entries)) {
			t.Errorf("%v: %v, %v", c.entries, got, err)
		}
	}
}
