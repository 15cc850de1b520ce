package pages_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/stream"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/ledger/reference"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// slowAfter is when a client through a proxy gives up waiting: before a late reply.
const slowAfter = testserver.ReplyDelay - 100*time.Millisecond

// startProxy starts a proxy to a database of its own, and returns options of a client
// through it.
func startProxy(t *testing.T) (*testserver.Proxy, *redis.Options) {
	t.Helper()
	options := testserver.RedisOptions(t)
	p := testserver.StartProxy(t, options.Addr)
	options.Addr = p.Addr()
	options.ReadTimeout, options.WriteTimeout = slowAfter, slowAfter
	return p, options
}

// proxyClient returns a client that is closed with the test.
func proxyClient(t *testing.T, options *redis.Options) *redis.Client {
	t.Helper()
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// faultSome gives so many of a thousand requests a fault, each kind as often, except
// that late replies are rarer: they take a test's time. A new connection takes time
// too, and has none.
func faultSome(p *testserver.Proxy, seed uint64, of1000 int) {
	var mu sync.Mutex
	rng := rand.New(rand.NewPCG(seed, 23))
	p.Each(func(request []byte) testserver.Fault {
		if bytes.Contains(request, []byte("hello")) {
			return testserver.NoFault
		}
		mu.Lock()
		defer mu.Unlock()
		switch n := rng.IntN(1000); {
		case n >= of1000:
			return testserver.NoFault
		case n == 0:
			return testserver.LateReply
		default:
			return []testserver.Fault{testserver.CutBefore, testserver.CutHalf, testserver.CutAfter}[n%3]
		}
	})
}

// recordUntilAnswered records batches by so many stores of so many goroutines
// each; who gets no answer for an activity records it again. It returns what the
// answers' points add up to, by user, and how often there was none.
func recordUntilAnswered(t *testing.T, stores []*live.Store, each int,
	batches [][]activity.Activity,
) (points map[string]int64, lost int) {
	t.Helper()
	todo := make(chan []activity.Activity, len(batches))
	for _, b := range batches {
		todo <- b
	}
	close(todo)
	points = map[string]int64{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, store := range stores {
		for range each {
			wg.Go(func() {
				for batch := range todo {
					for len(batch) > 0 {
						var again []activity.Activity
						results := store.Record(t.Context(), batch, harness.History)
						mu.Lock()
						for i, r := range results {
							switch {
							case r.Err == nil:
								points[batch[i].User] += r.Points
							case errors.Is(r.Err, redisstore.ErrUnavailable):
								again = append(again, batch[i])
								lost++
							default:
								t.Errorf("activity %+v: %v", batch[i], r.Err)
							}
						}
						mu.Unlock()
						batch = again
					}
				}
			})
		}
	}
	wg.Wait()
	return points, lost
}

// faultyEpisode is a random stream and the boards it has to give.
func faultyEpisode(t *testing.T, seed uint64, n int) (stream.Forum, [][]activity.Activity, *reference.Ledger) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 29))
	forum, err := stream.NewForum(rng)
	if err != nil {
		t.Fatal(err)
	}
	acts := forum.Activities(rng, n, []string{"ada", "bob", "-1", "é", "eve", "f", "g", "h"})
	ref := reference.New(forum.Rules, forum.Calendar)
	for _, a := range acts {
		ref.Add(a)
	}
	return forum, stream.Deliver(rng, acts, 60), ref
}

// Faults that the client's own retries get over are not seen at all: in one
// process every receipt is right, also of what was committed and sent again.
func TestFaultsUnderTheClientsRetries(t *testing.T) {
	t.Parallel()
	for i := range max(testserver.Soak(t, testserver.Times(2_000, 4_000))/2_000, 1) {
		forum, batches, ref := faultyEpisode(t, uint64(i), 2_000)
		p, options := startProxy(t)
		options.MaxRetries, options.MinRetryBackoff, options.MaxRetryBackoff = 50, time.Millisecond, 2*time.Millisecond
		store := live.New(proxyClient(t, options), ledger.New(forum.Rules, forum.Calendar), 1+3*(i%2))
		faultSome(p, uint64(i), 150)
		points, lost := recordUntilAnswered(t, []*live.Store{store}, 8, batches)
		p.All(testserver.NoFault)
		if lost > 0 {
			t.Errorf("%d activities were not answered", lost)
		}
		for user, sum := range points {
			if want := ref.MonthPoints(user); sum != want {
				t.Errorf("receipts of %s add up to %d, the month scores to %d", user, sum, want)
			}
		}
		compareLive(t, store, forum, ref, nil)
		for _, f := range []testserver.Fault{testserver.CutBefore, testserver.CutHalf, testserver.CutAfter} {
			if p.Count(f) == 0 {
				t.Errorf("no request met fault %d", f)
			}
		}
	}
}

// Faults that the client gives up on are the caller's to retry, against other
// processes that do the same: the boards are right, nothing lost or doubled, and
// what is recorded once more moves no point.
func TestFaultsUnderTheCallersRetries(t *testing.T) {
	t.Parallel()
	for i := range max(testserver.Soak(t, 4_000)/2_000, 1) {
		forum, batches, ref := faultyEpisode(t, 100+uint64(i), 2_000)
		p, options := startProxy(t)
		options.MaxRetries = -1
		l, shards := ledger.New(forum.Rules, forum.Calendar), 1+3*(i%2)
		var stores []*live.Store
		for range 4 {
			stores = append(stores, live.New(proxyClient(t, options), l, shards))
		}
		faultSome(p, 100+uint64(i), 150)
		_, lost := recordUntilAnswered(t, stores, 2, batches)
		p.All(testserver.NoFault)
		if lost == 0 {
			t.Error("every activity was answered at once")
		}
		compareLive(t, stores[0], forum, ref, nil)
		points, _ := recordUntilAnswered(t, stores, 1, batches)
		for user, sum := range points {
			if sum != 0 {
				t.Errorf("%d points for %s from what was known already", sum, user)
			}
		}
	}
}

// Promise 2: an answer that was lost had the points that the answers given lack,
// so with publications alone every activity is counted once, or lost and then a
// duplicate.
func TestPromise2LostReceiptsAreAllThatLacks(t *testing.T) {
	t.Parallel()
	p, options := startProxy(t)
	options.MaxRetries = -1
	store := live.New(proxyClient(t, options), harness.UTC(), 1)
	harness.TeachScripts(t, store)
	before, after := errorOn(t, p, store, testserver.CutBefore), errorOn(t, p, store, testserver.CutAfter)
	if before != ledger.Counted {
		t.Errorf("cut before the server had it, then recorded again: %s", before)
	}
	if after != ledger.Duplicate {
		t.Errorf("cut after the server had done it, then recorded again: %s", after)
	}
	if n := harness.ScoreOf(t, store, "activity", harness.Period(t, "2026-11-20"), "ada"); n != 20 {
		t.Errorf("the score is %d for two publications", n)
	}
}

// errorOn records one publication whose commit meets the fault, and again
// without, and returns the answer.
func errorOn(t *testing.T, p *testserver.Proxy, store *live.Store, f testserver.Fault) ledger.Status {
	t.Helper()
	a := harness.Did(t, fmt.Sprintf("ada publish fault-%d", f), harness.At(t, "2026-11-20T12:00"))
	p.Each(func(request []byte) testserver.Fault {
		if bytes.Contains(request, []byte("evalsha")) {
			return f
		}
		return testserver.NoFault
	})
	if r := store.Record(t.Context(), []activity.Activity{a}, harness.History)[0]; !errors.Is(r.Err,
		redisstore.ErrUnavailable) {
		t.Errorf("fault %d: %+v", f, r)
	}
	p.All(testserver.NoFault)
	return harness.Record(t, store, a)[0].Status
}

// A reply that is too slow is retried like one that was lost.
func TestTimeoutsAreRetried(t *testing.T) {
	t.Parallel()
	p, options := startProxy(t)
	store := live.New(proxyClient(t, options), harness.UTC(), 1)
	harness.TeachScripts(t, store)
	var met atomic.Int64
	p.Each(func(request []byte) testserver.Fault {
		if bytes.Contains(request, []byte("evalsha")) && met.Add(1) == 1 {
			return testserver.LateReply
		}
		return testserver.NoFault
	})
	got := harness.Record(t, store, harness.Did(t, "ada publish 1", harness.At(t, "2026-11-20T12:00")))[0]
	if met.Load() < 2 || got.Status != ledger.Counted || got.Points != 10 {
		t.Errorf("after %d commits: %+v", met.Load(), got)
	}
}

// A server that loses its scripts again and again in the middle of a load is told
// them again.
func TestScriptCacheFlushed(t *testing.T) {
	t.Parallel()
	forum, batches, ref := faultyEpisode(t, 7, 4_000)
	client := testserver.OwnRedis(t).Client()
	l := ledger.New(forum.Rules, forum.Calendar)
	done := make(chan struct{})
	flushed := make(chan int)
	go func() {
		n := 0
		defer func() { flushed <- n }()
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Millisecond):
				client.ScriptFlush(t.Context())
				n++
			}
		}
	}()
	var stores []*live.Store
	for range 4 {
		stores = append(stores, live.New(client, l, 2))
	}
	points, lost := recordUntilAnswered(t, stores, 2, batches)
	compareLive(t, stores[0], forum, ref, nil)
	close(done)
	if n := <-flushed; n < 10 || lost > 0 {
		t.Errorf("%d flushes; %d activities without an answer", n, lost)
	}
	for user, sum := range points {
		if want := ref.MonthPoints(user); sum != want {
			t.Errorf("receipts of %s add up to %d, the month scores to %d", user, sum, want)
		}
	}
}

// An unavailable server is an error for each, and the error says so.
func TestServerIsUnavailable(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	options := server.Options()
	options.MaxRetries, options.DialTimeout = -1, 200*time.Millisecond
	store := live.New(redis.NewClient(options), harness.UTC(), 2)
	defer store.Close()
	server.Stop()
	noon := harness.At(t, "2026-11-20T12:00")
	for _, r := range store.Record(t.Context(),
		[]activity.Activity{harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon)}, harness.History) {
		if !errors.Is(r.Err, redisstore.ErrUnavailable) {
			t.Errorf("recorded on an unavailable server: %+v", r)
		}
	}
	day := harness.Period(t, "2026-11-20")
	_, readErr := store.Read(t.Context(), board.View{Board: "activity", Period: day, Limit: 1})
	_, daysErr := store.Days(t.Context(), "ada", day.First(), day.First())
	for _, err := range []error{
		readErr, daysErr, store.Ping(t.Context()),
		store.ClosePeriod(t.Context(), "activity", day),
	} {
		if !errors.Is(err, redisstore.ErrUnavailable) {
			t.Errorf("%v does not wrap ErrUnavailable", err)
		}
	}
}
