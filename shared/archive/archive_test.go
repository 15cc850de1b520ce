package archive_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/archive"
	"laurel/shared/archive/embedded"
	"laurel/shared/board"
)

var (
	day    = board.PeriodOf(board.Day, board.DateOf(2026, 11, 20))
	before = day.Prev()
)

// randomBoard makes a board of n users with many ties, in order.
func randomBoard(rng *rand.Rand, n int) []board.Entry {
	entries := make([]board.Entry, n)
	for i := range entries {
		id := []string{fmt.Sprint(i), fmt.Sprint("user-", i), fmt.Sprintf("6b3a2f10-0d5c-4b1e-9a7e-%012x", i), fmt.Sprint("0", i), fmt.Sprint("-", i)}[rng.IntN(5)]
		entries[i] = board.Entry{User: id, Packed: board.Pack(1+rng.Int64N(40), rng.Int64N(90_000_000)>>(20*rng.IntN(2)))}
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

// modelPage is a View answered from the whole board.
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
	previous := int64(slices.IndexFunc(before, func(e board.Entry) bool { return e.User == v.User }) + 1)
	rank := int64(slices.IndexFunc(entries, func(e board.Entry) bool { return e.User == v.User }) + 1)
	if rank == 0 {
		var last *board.Place
		if n > 0 {
			last = &places[n-1]
		}
		page.Standing = board.OffBoard(n, last, previous)
		return page
	}
	page.Standing, page.Neighbours = board.Stand(places, rank, n, previous, v.Around)
	return page
}

func TestAFinalBoardReadsAsItWas(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 99, 100, 101, archive.PageLen - 1, archive.PageLen, archive.PageLen + 1, 3*archive.PageLen + 7} {
		store := open(t)
		a := archive.New(store)
		today, yesterday := randomBoard(rng, n), randomBoard(rng, n/2+1)
		for p, entries := range map[board.Period][]board.Entry{day: today, before: yesterday} {
			if _, err := a.Write(t.Context(), "activity", p, sourceOf(entries), 0); err != nil {
				t.Fatal(err)
			}
		}
		for range 60 {
			v := board.View{Board: "activity", Period: day, Limit: rng.Int64N(101), Around: rng.Int64N(26)}
			v.Offset = []int64{0, rng.Int64N(int64(n) + 50), archive.PageLen - 50, 1 << 31}[rng.IntN(4)]
			if v.User = "nobody"; n > 0 && rng.IntN(4) > 0 {
				v.User = today[[]int{0, n - 1, rng.IntN(n)}[rng.IntN(3)]].User
			}
			if rng.IntN(4) == 0 {
				v.User = ""
			}
			got, err := a.Read(t.Context(), v)
			if err != nil {
				t.Fatalf("%d users, %+v: %v", n, v, err)
			}
			want := modelPage(v, today, yesterday)
			if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(p []board.Place) []board.Place { return append([]board.Place{}, p...) })); diff != "" {
				t.Fatalf("%d users, %+v (-model +archive):\n%s", n, v, diff)
			}
		}
		var whole []board.Entry
		for e, err := range a.Entries(t.Context(), "activity", day) {
			if err != nil {
				t.Fatal(err)
			}
			whole = append(whole, e)
		}
		if !slices.Equal(whole, today) {
			t.Errorf("%d users: the whole board is not what it was", n)
		}
	}
}

func TestWhatIsNotThereIsNotFinal(t *testing.T) {
	t.Parallel()
	a := archive.New(open(t))
	if _, err := a.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 30, User: "ada"}); !errors.Is(err, archive.ErrNotFinal) {
		t.Errorf("got %v", err)
	}
	if rank, err := a.Rank(t.Context(), "activity", day, "ada"); rank != 0 || err != nil {
		t.Errorf("rank %d, %v", rank, err)
	}
}

func TestPeriodsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	a := archive.New(open(t))
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 5 {
		p := board.PeriodOf(board.Day, board.DateOf(2026, 11, 28+i))
		if _, err := a.Write(t.Context(), "activity", p, sourceOf(randomBoard(rng, i+1)), 0); err != nil {
			t.Fatal(err)
		}
	}
	all, err := a.Periods(t.Context(), "activity", board.Day, board.Period{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].Period.String() != "2026-12-02" || all[0].Total != 5 || all[2].Period.String() != "2026-11-30" {
		t.Errorf("got %v", all)
	}
	rest, err := a.Periods(t.Context(), "activity", board.Day, all[2].Period, 30)
	if err != nil || len(rest) != 2 || rest[1].Period.String() != "2026-11-28" {
		t.Errorf("got %v, %v", rest, err)
	}
	if err := a.Remove(t.Context(), "activity", all[0].Period); err != nil {
		t.Fatal(err)
	}
	if again, _ := a.Periods(t.Context(), "activity", board.Day, board.Period{}, 1); len(again) != 1 || again[0].Total != 4 {
		t.Errorf("after removing the newest: %v", again)
	}
}

// open makes an empty store that forgets.
func open(tb testing.TB) *embedded.Store {
	tb.Helper()
	return harness.Memory(tb, time.Now)
}
