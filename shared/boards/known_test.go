package boards_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// top is the first three of a day.
func top(t *testing.T) board.View {
	t.Helper()
	return board.View{Board: "steps", Period: harness.Period(t, "2026-11-20"), Limit: 3}
}

// walked is what a user walked on that day.
func walked(t *testing.T, user string, steps int64) activity.Activity {
	t.Helper()
	return activity.Activity{User: user, Action: "steps", Value: &steps, At: harness.At(t, "2026-11-20T12:00")}
}

// A page that a process reads again and again is what one that has never read it reads,
// whoever enters and leaves it and whatever they are called, on one node and on a cluster.
func TestAKnownPageIsThePage(t *testing.T) {
	t.Parallel()
	nodes := testserver.RedisCluster(t, 3)
	cluster, err := redisstore.Dial(fmt.Sprintf("redis://%s?addr=%s", nodes[0], strings.Join(nodes[1:], "&addr=")), true)
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	for _, client := range []redis.UniversalClient{testserver.Redis(t), cluster} {
		rng := rand.New(rand.NewPCG(5, 6))
		store := live.New(client, harness.UTC(), 1)
		for i := range 200 {
			user := fmt.Sprint("user-", rng.IntN(9))
			switch rng.IntN(4) {
			case 0:
				_, generation := copies(t, store)
				set(t, store, generation, map[string]string{user: fmt.Sprintf("%d {%d}", i+1, i)})
			case 1:
				drop(t, store, user)
			default:
				harness.Record(t, store, walked(t, user, rng.Int64N(1_000)))
			}
			v := top(t)
			v.Offset = rng.Int64N(3)
			got, want := harness.Read(t, store, v), harness.Read(t, live.New(client, harness.UTC(), 1), v)
			for user := range got.Profiles {
				if _, shown := want.Profiles[user]; !shown {
					delete(got.Profiles, user) // who has left
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("step %d (-never read before +read before):\n%s", i, diff)
			}
		}
	}
}

// A known page takes one round trip and no script; somebody new on it takes one more.
func TestRoundTripsOfKnownPages(t *testing.T) {
	t.Parallel()
	client, trips := testserver.CountedRedis(t)
	store, other := live.New(client, harness.UTC(), 1), live.New(client, harness.UTC(), 1)
	harness.TeachScripts(t, store)
	harness.Record(t, other, walked(t, "ann", 10), walked(t, "bob", 9), walked(t, "eve", 8), walked(t, "zoe", 7))
	var tape harness.Tape
	client.AddHook(&tape)
	read := func() { harness.Read(t, store, top(t)) }
	trips.Expect(t, "at first", 1, read)
	tape.Take()
	trips.Expect(t, "again", 1, read)
	if scripts := tape.Take(); len(scripts) > 0 {
		t.Errorf("a known page is read by a script: %v", scripts)
	}
	harness.Record(t, other, walked(t, "zoe", 700))
	trips.Expect(t, "with somebody new", 2, read)
	trips.Expect(t, "again with somebody new", 1, read)
	harness.Record(t, other, walked(t, "ann", 900))
	trips.Expect(t, "in another order", 1, read)
}

// What is wrong with a known page is found as with any other.
func TestAKnownPageThatIsWrong(t *testing.T) {
	t.Parallel()
	client, store := stamped(t)
	harness.Record(t, store, walked(t, "ann", 10))
	harness.Read(t, store, top(t))
	key := "laurel:{0}:board:steps:day:2026-11-20"
	client.ZAdd(t.Context(), key, harness.ZOf("eve", -0.5))
	if _, err := store.Read(t.Context(), top(t)); !errors.Is(err, redisstore.ErrStored) {
		t.Errorf("half a tick: %v", err)
	}
	client.ZRem(t.Context(), key, "eve")
	harness.Read(t, store, top(t))
	client.Set(t.Context(), key, "no board", 0)
	if _, err := store.Read(t.Context(), top(t)); !errors.Is(err, redisstore.ErrUnavailable) {
		t.Errorf("of another type: %v", err)
	}
	client.Del(t.Context(), key)
	harness.Read(t, store, top(t))
	client.FlushDB(t.Context())
	if _, err := store.Read(t.Context(), top(t)); !errors.Is(err, redisstore.ErrStamp) {
		t.Errorf("of an emptied Redis: %v", err)
	}
}

// A connection that is cut while a known page is read fails no request.
func TestAKnownPageBehindFaults(t *testing.T) {
	t.Parallel()
	options := *testserver.RedisOptions(t)
	proxy := testserver.StartProxy(t, options.Addr)
	options.Addr = proxy.Addr()
	client := redis.NewClient(&options)
	defer client.Close()
	store := live.New(client, harness.UTC(), 1)
	harness.Record(t, store, walked(t, "ann", 10))
	for _, fault := range []testserver.Fault{testserver.CutBefore, testserver.CutHalf, testserver.CutAfter} {
		want := harness.Read(t, store, top(t))
		var met atomic.Bool
		proxy.Each(func(request []byte) testserver.Fault {
			if strings.Contains(strings.ToLower(string(request)), "multi") && !met.Swap(true) {
				return fault
			}
			return testserver.NoFault
		})
		if diff := cmp.Diff(want, harness.Read(t, store, top(t))); diff != "" || !met.Load() {
			t.Errorf("fault %d, met %t (-want +got):\n%s", fault, met.Load(), diff)
		}
	}
}
