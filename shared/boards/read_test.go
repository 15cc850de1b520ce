package boards_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// Any view of a board, of any number of shards, is the piece of the reference's
// board that was asked for.
func TestReadIsAPieceOfTheBoard(t *testing.T) {
	t.Parallel()
	days := []board.Period{
		harness.Period(t, "2026-11-19"), harness.Period(t, "2026-11-20"),
		harness.Period(t, "2026-11-21"),
	}
	var acts []activity.Activity
	var users []string
	for i := range 70 {
		users = append(users, fmt.Sprintf("%s.%d", awkward[i%len(awkward)], i))
		for j, day := range days {
			value, m := int64(i*(j+3)%5*1_000), harness.At(t, day.String()+"T12:00")+board.Moment(i%2)
			acts = append(acts, activity.Activity{User: users[i], Action: "steps", Value: &value, At: m})
		}
	}
	acts = acts[:len(acts)-30] // who is on one day and not on the next
	ref := reference.New(harness.UTC().Rules(), harness.UTC().Calendar())
	for _, a := range acts {
		ref.Add(a)
	}
	stores := map[int]*live.Store{}
	for _, shards := range []int{1, 2, 7} {
		stores[shards] = live.New(testserver.Redis(t), harness.UTC(), shards)
		harness.Record(t, stores[shards], acts...)
	}
	rapid.Check(t, func(r *rapid.T) {
		store := stores[rapid.SampledFrom([]int{1, 2, 7}).Draw(r, "shards")]
		views := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) board.View {
			return board.View{
				Board:  "steps",
				Period: rapid.SampledFrom(append(days, days[2].Next(), harness.Period(t, "2026-11"))).Draw(r, "period"),
				Offset: rapid.OneOf(rapid.Int64Range(0, 80), rapid.Just[int64](1<<40)).Draw(r, "offset"),
				Limit:  rapid.Int64Range(0, 100).Draw(r, "limit"),
				User:   rapid.SampledFrom(append(users, "", "nobody")).Draw(r, "user"),
				Around: rapid.Int64Range(0, 25).Draw(r, "around"),

				Users:    rapid.SliceOfNDistinct(rapid.SampledFrom(append(users, "nobody")), 0, 9, rapid.ID).Draw(r, "users"),
				Movement: rapid.Bool().Draw(r, "movement"),
			}
		}), 1, 4).Draw(r, "views")
		pages, err := store.ReadAll(t.Context(), views)
		if err != nil {
			r.Fatal(err)
		}
		for i, v := range views {
			comparePiece(r, ref, v, pages[i])
		}
	})
}

func comparePiece(r *rapid.T, ref *reference.Ledger, v board.View, page boards.Page) {
	whole := ref.Board(v.Board, v.Period)
	comparePage(r, whole, page, v.Offset, v.Limit)
	var standings []board.Standing
	for _, user := range v.Users {
		standings = append(standings, ref.Standing(v.Board, v.Period, user))
	}
	if diff := cmp.Diff(standings, page.Standings); diff != "" {
		r.Errorf("standings of users (-reference +store):\n%s", diff)
	}
	compareMovement(r, ref, v, page)
	if v.User == "" {
		if page.Standing != nil || page.Neighbours != nil {
			r.Errorf("a standing that nobody asked for: %+v", page)
		}
		return
	}
	want := ref.Standing(v.Board, v.Period, v.User)
	if diff := cmp.Diff(want, *page.Standing); diff != "" {
		r.Errorf("standing (-reference +store):\n%s", diff)
	}
	var near []board.Place
	for rank := max(want.Rank-v.Around, 1); want.Rank > 0 && rank <= min(want.Rank+v.Around, want.Total); rank++ {
		near = append(near, board.Place{Rank: rank, Entry: whole[rank-1]})
	}
	if diff := cmp.Diff(near, page.Neighbours); diff != "" {
		r.Errorf("neighbours (-reference +store):\n%s", diff)
	}
}

// compareMovement checks the previous ranks of those on a page and of the neighbours.
func compareMovement(r *rapid.T, ref *reference.Ledger, v board.View, page boards.Page) {
	var want map[string]int64
	if v.Movement {
		want = map[string]int64{}
		for _, user := range page.Users() {
			if rank := ref.Standing(v.Board, v.Period, user).PreviousRank; rank != nil {
				want[user] = *rank
			}
		}
	}
	got := maps.Clone(page.Previous)
	maps.DeleteFunc(got, func(user string, _ int64) bool { return !slices.Contains(page.Users(), user) })
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("previous ranks (-reference +store):\n%s", diff)
	}
}

// An offset beyond everything is a page without places.
func TestReadPastEveryEnd(t *testing.T) {
	t.Parallel()
	for _, shards := range []int{1, 3} {
		store := live.New(testserver.Redis(t), harness.UTC(), shards)
		harness.Record(t, store, harness.Did(t, "ada like 1", harness.At(t, "2026-11-20T12:00")))
		for _, offset := range []int64{1, 1_000, 1 << 53, math.MaxInt64 - 200} {
			page := harness.Read(t, store,
				board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), Offset: offset, Limit: 100})
			if page.Total != 1 || len(page.Places) != 0 {
				t.Errorf("%d shards, offset %d: %+v", shards, offset, page)
			}
		}
	}
}

// What nothing of Laurel's has written is an error that says so, not a score.
func TestReadOfWhatIsDamaged(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 1)
	noon, day := harness.At(t, "2026-11-20T12:00"), harness.Period(t, "2026-11-20")
	harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon))
	client.HSet(t.Context(), "laurel:{0}:pages:ada", "2026-11", "nonsense")
	if _, err := store.Days(t.Context(), "ada", day.First(), day.First()); !errors.Is(err, redisstore.ErrStored) {
		t.Errorf("days of a damaged page: %v", err)
	}
	results := store.Record(t.Context(),
		[]activity.Activity{harness.Did(t, "ada like 2", noon), harness.Did(t, "bob like 2", noon)}, harness.History)
	if !errors.Is(results[0].Err, redisstore.ErrStored) || results[1].Err != nil {
		t.Errorf("recorded on a damaged page and beside it: %+v", results)
	}
	client.ZAdd(t.Context(), "laurel:{0}:board:activity:day:2026-11-20", harness.ZOf("eve", -0.5))
	if _, err := store.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 10}); !errors.Is(err,
		redisstore.ErrStored) {
		t.Errorf("a board with half a tick: %v", err)
	}
	client.Set(t.Context(), "laurel:{0}:closed", "12345678activity day", 0)
	if r := store.Record(t.Context(), []activity.Activity{harness.Did(t, "bob like 3", noon)},
		harness.History)[0]; !errors.Is(r.Err, redisstore.ErrStored) {
		t.Errorf("recorded when the closed-period set is damaged: %+v", r)
	}
}

// A hundred record and read at once; reads write nothing.
func TestReadsWriteNothing(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	store := live.New(client, harness.UTC(), 3)
	noon := harness.At(t, "2026-11-20T12:00")
	var acts []activity.Activity
	for i := range 100 {
		acts = append(acts, harness.Did(t, fmt.Sprintf("user-%d publish %d", i, i), noon+board.Moment(i%7)))
	}
	harness.Record(t, store, acts...)
	state := harness.Everything(t, client)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			v := board.View{
				Board: "activity", Period: harness.Period(t, "2026-11-20"), Offset: int64(i), Limit: 10,
				User: fmt.Sprint("user-", i), Around: 3,
			}
			page, err := store.Read(t.Context(), v)
			if err != nil || page.Total != 100 || page.Places[0].Rank != int64(i)+1 || page.Standing.Score != 10 {
				t.Errorf("%+v, %v", page, err)
			}
		})
	}
	wg.Wait()
	if diff := cmp.Diff(state, harness.Everything(t, client)); diff != "" {
		t.Errorf("reading has changed something (-before +after):\n%s", diff)
	}
}
