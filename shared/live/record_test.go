package live_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
)

var history = ledger.Arrival{Now: board.Latest - 1, AnyAge: true}

// Promise 1: 16 writers at once, in four processes as far as turns go, record
// the same set of activities in any order, some more than once, into one or
// several shards, and the boards are the reference's.
func TestPromise1ManyWritersAtOnce(t *testing.T) {
	t.Parallel()
	const episode = 4_000
	everybody := []string{"ada", "bob", "-1", "9007199254740993", "é"}
	for i := range 55 {
		everybody = append(everybody, fmt.Sprint("u", i))
	}
	for i := range max(stream.Soak(t, 200_000)/episode, 1) {
		rng := rand.New(rand.NewPCG(uint64(i), 11))
		forum, err := stream.NewForum(rng)
		if err != nil {
			t.Fatal(err)
		}
		users := everybody[:[]int{5, 20, 60}[i%3]]
		acts := forum.Activities(rng, episode, users)
		ref := reference.New(forum.Rules, forum.Calendar)
		for _, a := range acts {
			ref.Add(a)
		}
		l := ledger.New(forum.Rules, forum.Calendar)
		shards := 1 + 3*(i%2)
		client := testserver.Redis(t)
		batches := stream.Deliver(rng, acts, 60)
		points := recordAll(t, client, l, shards, 16, batches)
		store := live.New(client, l, shards)
		compareBoards(t, store, forum, ref)
		for _, user := range users {
			if got, want := points[user], ref.MonthPoints(user); got != want {
				t.Fatalf("episode %d: receipts of %s add up to %d, the month scores to %d", i, user, got, want)
			}
		}
		if t.Failed() {
			t.Fatalf("episode %d in %s, %d shards", i, forum.Calendar.Zone(), shards)
		}
	}
}

// recordAll records batches by so many writers at once, four to a store, and
// returns what the receipts add up to, by user.
func recordAll(t *testing.T, client redis.UniversalClient, l *ledger.Ledger, shards, writers int, batches [][]activity.Activity) map[string]int64 {
	t.Helper()
	todo := make(chan []activity.Activity, len(batches))
	for _, b := range batches {
		todo <- b
	}
	close(todo)
	points := map[string]int64{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	stores := make([]*live.Store, (writers+3)/4)
	for i := range stores {
		stores[i] = live.New(client, l, shards)
	}
	for w := range writers {
		store := stores[w/4]
		wg.Go(func() {
			for batch := range todo {
				results := store.Record(t.Context(), batch, history)
				mu.Lock()
				for i, r := range results {
					if r.Err != nil {
						t.Errorf("activity %+v: %v", batch[i], r.Err)
					}
					points[batch[i].User] += r.Points
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return points
}

// compareBoards compares every board of the reference with the store's, whole,
// page by page, and the standings of some.
func compareBoards(t *testing.T, store *live.Store, forum stream.Forum, ref *reference.Ledger) {
	t.Helper()
	for _, name := range forum.Rules.Boards() {
		for _, w := range forum.Rules.Windows(name) {
			for _, p := range ref.Periods(name, w) {
				want := ref.Board(name, p)
				got := readWhole(t, store, name, p, 3)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("board %s %s (-reference +store):\n%s", name, p, diff)
				}
				for i, e := range want {
					v := board.View{Board: name, Period: p, User: e.User, Around: int64(i % 4)}
					page, err := store.Read(t.Context(), v)
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(ref.Standing(name, p, e.User), *page.Standing); diff != "" {
						t.Errorf("standing of %s on %s %s (-reference +store):\n%s", e.User, name, p, diff)
					}
					compareNeighbours(t, want, page.Neighbours, i, i%4)
				}
			}
		}
	}
}

func compareNeighbours(t *testing.T, whole []board.Entry, got []board.Place, at, around int) {
	t.Helper()
	var want []board.Place
	for j := max(0, at-around); j < min(len(whole), at+around+1); j++ {
		want = append(want, board.Place{Rank: int64(j + 1), Entry: whole[j]})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("neighbours (-reference +store):\n%s", diff)
	}
}

func readWhole(t *testing.T, store *live.Store, name string, p board.Period, limit int64) []board.Entry {
	t.Helper()
	var whole []board.Entry
	for {
		page, err := store.Read(t.Context(), board.View{Board: name, Period: p, Offset: int64(len(whole)), Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range page.Places {
			if whole = append(whole, place.Entry); place.Rank != int64(len(whole)) {
				t.Errorf("place %d of %s %s has rank %d", len(whole), name, p, place.Rank)
			}
		}
		if len(page.Places) == 0 {
			if page.Total != int64(len(whole)) {
				t.Errorf("%s %s: total %d, but %d on its pages", name, p, page.Total, len(whole))
			}
			return whole
		}
	}
}

// One user, 64 writers at once: exact, all answered, nobody sent away.
func TestOneUserManyWriters(t *testing.T) {
	t.Parallel()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	client := testserver.Redis(t)
	now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	var wg sync.WaitGroup
	var mu sync.Mutex
	var points int64
	for w := range 64 {
		store := live.New(client, l, 1)
		wg.Go(func() {
			for i := range 5 {
				a := activity.Activity{User: "hot", Action: "like", Target: fmt.Sprint(w, "-", i), At: now}
				r := store.Record(context.WithoutCancel(t.Context()), []activity.Activity{a}, ledger.Arrival{Now: now})[0]
				if r.Err != nil {
					t.Error(r.Err)
				}
				mu.Lock()
				points += r.Points
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	page, err := live.New(client, l, 1).Read(t.Context(), board.View{Board: "activity", Period: board.PeriodOf(board.Month, l.Calendar().Date(now)), User: "hot"})
	if err != nil {
		t.Fatal(err)
	}
	if page.Standing.Score != 100 || points != 100 {
		t.Errorf("score %d, receipts %d, want the cap's 100 for 320 likes", page.Standing.Score, points)
	}
}
