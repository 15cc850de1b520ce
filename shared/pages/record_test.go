package pages_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
)

// Promise 1: 16 writers at once, in four processes as far as locks go, record
// the same set of activities in any order, some more than once, into one or
// several shards, and the boards are the reference's.
func TestPromise1ManyWritersAtOnce(t *testing.T) {
	t.Parallel()
	const episode = 4_000
	everybody := []string{"ada", "bob", "-1", "9007199254740993", "é"}
	for i := range 55 {
		everybody = append(everybody, fmt.Sprint("u", i))
	}
	for i := range max(testserver.Soak(t, testserver.Times(60_000, 200_000))/episode, 1) {
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
		points := harness.RecordAll(t, client, l, shards, 16, batches)
		store := live.New(client, l, shards)
		harness.CompareBoards(t, store, forum, ref)
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

// One user, 64 writers at once: exact, all answered, nobody refused.
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
	page, err := live.New(client, l, 1).Read(t.Context(),
		board.View{Board: "activity", Period: board.PeriodOf(board.Month, l.Calendar().Date(now)), User: "hot"})
	if err != nil {
		t.Fatal(err)
	}
	if page.Standing.Score != 100 || points != 100 {
		t.Errorf("score %d, receipts %d, want the cap's 100 for 320 likes", page.Standing.Score, points)
	}
}
