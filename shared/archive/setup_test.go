package archive_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/table/dynamo"
	"laurel/shared/table/embedded"
)

var (
	day    = board.PeriodOf(board.Day, board.DateOf(2026, 11, 20))
	before = day.Prev()
)

// last is after every sort key.
const last = "\U0010FFFF"

// open returns an empty embedded store.
func open(tb testing.TB) *embedded.Store {
	tb.Helper()
	return harness.Memory(tb, time.Now)
}

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
		store, err := dynamo.Open(t.Context(), dynamo.Options{Name: name, Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		test(t, store)
	})
}

// concurrently calls do n times at once.
func concurrently(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			if err := do(i); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// randomBoard returns a board of n users with many ties, in order.
func randomBoard(rng *rand.Rand, n int) []board.Entry {
	ids := []string{"%d", "user-%d", "6b3a2f10-0d5c-4b1e-9a7e-%012x", "0%d", "-%d"}
	entries := make([]board.Entry, n)
	for i := range entries {
		packed := board.Pack(1+rng.Int64N(40), rng.Int64N(90_000_000)>>(20*rng.IntN(2)))
		entries[i] = board.Entry{User: fmt.Sprintf(ids[rng.IntN(len(ids))], i), Packed: packed}
	}
	slices.SortFunc(entries, board.Compare)
	return entries
}

func sourceOf(entries []board.Entry) archive.Source {
	return archive.Source{Total: int64(len(entries)), Entries: func(context.Context) iter.Seq2[board.Entry, error] {
		return func(yield func(board.Entry, error) bool) {
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
			}
		}
	}}
}

func writeBoard(tb testing.TB, store archive.Store, name string, p board.Period, entries []board.Entry) {
	tb.Helper()
	if _, err := archive.New(store).Write(tb.Context(), name, p, sourceOf(entries), 0); err != nil {
		tb.Fatal(err)
	}
}

// written returns a store with the day's board.
func written(t *testing.T, entries []board.Entry) *embedded.Store {
	t.Helper()
	store := open(t)
	writeBoard(t, store, "activity", day, entries)
	return store
}

// itemsIn returns the items of a partition, the greatest sort key first.
func itemsIn(tb testing.TB, store archive.Store, partition string) []archive.Item {
	tb.Helper()
	items, err := store.Descend(tb.Context(), partition, last, 1_000)
	if err != nil {
		tb.Fatal(err)
	}
	return items
}

// dump returns every item of the final boards of everywhere.
func dump(t *testing.T, store archive.Store) map[archive.Key]string {
	t.Helper()
	all := map[archive.Key]string{}
	for _, s := range everywhere[:4] {
		for _, head := range itemsIn(t, store, s.Board+"#"+s.Window.String()) {
			all[head.Key] = string(head.Data)
			for _, copied := range []string{"", "#1", "#2", "#3"} {
				for _, item := range itemsIn(t, store, head.Partition+"#"+head.Sort+copied) {
					all[item.Key] = string(item.Data)
				}
			}
		}
	}
	return all
}

// sameItems compares all items of the final boards.
func sameItems(t *testing.T, store archive.Store, want map[archive.Key]string, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, dump(t, store)); diff != "" {
		t.Fatalf("%s (-want +got): %.500s", fmt.Sprintf(format, args...), diff)
	}
}

// copyOf returns a store with the items.
func copyOf(t *testing.T, items map[archive.Key]string) *embedded.Store {
	t.Helper()
	store := open(t)
	for key, data := range items {
		replace(t, store, archive.Item{Key: key, Data: []byte(data)}, nil)
	}
	return store
}

func replace(tb testing.TB, store archive.Store, item archive.Item, old []byte) {
	tb.Helper()
	if err := store.Replace(tb.Context(), item, old); err != nil {
		tb.Fatal(err)
	}
}

// entriesOf returns all entries of the day's board.
func entriesOf(t *testing.T, store archive.Store) (entries []board.Entry) {
	t.Helper()
	for e, err := range archive.New(store).Entries(t.Context(), "activity", day) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}

// rankIn returns a user's rank among the entries, from 1; 0 without one.
func rankIn(entries []board.Entry, user string) int64 {
	return int64(slices.IndexFunc(entries, func(e board.Entry) bool { return e.User == user }) + 1)
}

// modelPage answers a View from the whole board.
func modelPage(v board.View, entries, before []board.Entry) board.Page {
	places := make([]board.Place, len(entries))
	for i, e := range entries {
		places[i] = board.Place{Rank: int64(i + 1), Entry: e}
	}
	n := int64(len(places))
	page := board.Page{Final: true, Total: n, Places: places[min(v.Offset, n):min(v.Offset+v.Limit, n)]}
	if v.User == "" {
		return page
	}
	previous := rankIn(before, v.User)
	if rank := rankIn(entries, v.User); rank > 0 {
		page.Standing, page.Neighbours = board.Stand(places, rank, n, previous, v.Around)
		return page
	}
	page.Standing = board.OffBoard(n, previous)
	return page
}

// readsAsModel compares random views of the day with the model's; more are users to ask
// for besides those on the board.
func readsAsModel(t *testing.T, rng *rand.Rand, store archive.Store, today, yesterday []board.Entry, more ...string) {
	t.Helper()
	n := len(today)
	for range testserver.Rounds(30, 60) {
		v := board.View{Board: "activity", Period: day, Limit: rng.Int64N(101), Around: rng.Int64N(26)}
		v.Offset = []int64{0, rng.Int64N(int64(n) + 50), archive.PageLen - 50, 1 << 31}[rng.IntN(4)]
		if i := rng.IntN(8); i < 3 && len(more) > 0 {
			v.User = more[rng.IntN(len(more))]
		} else if i < 6 && n > 0 {
			v.User = today[[]int{0, n - 1, rng.IntN(n)}[rng.IntN(3)]].User
		}
		got, err := archive.New(store).Read(t.Context(), v)
		if err != nil {
			t.Fatalf("%d users, %+v: %v", n, v, err)
		}
		if diff := cmp.Diff(modelPage(v, today, yesterday), got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%d users, %+v (-model +archive):\n%s", n, v, diff)
		}
	}
}

// everyCrash calls do on stores with the items that crash at the first call, at the
// second and so on, until do needs fewer calls; then checks each store after its crash.
func everyCrash(
	t *testing.T, items map[archive.Key]string, do func(archive.Store) error,
	then func(store archive.Store, at int, how string),
) {
	t.Helper()
	for _, how := range []string{harness.Before, harness.After} {
		for at := 1; ; at++ {
			store := copyOf(t, items)
			broken := &harness.Crash{Store: store, At: at, How: how}
			err := do(broken)
			if err == nil {
				if broken.Calls() >= at || at < 8 {
					t.Errorf("crash at call %d: no error after %d calls", at, broken.Calls())
				}
				break
			}
			if !errors.Is(err, harness.ErrCrash) {
				t.Fatalf("crash at call %d: %v", at, err)
			}
			then(store, at, how)
		}
	}
}
