package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/audit"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/recovery"
	"laurel/shared/redisstore"
)

const publishPoints = 10

// reporters report publications, each until it is answered, and read.
type reporters struct {
	*harness.Forum
	stop   atomic.Bool
	mu     sync.Mutex
	did    map[string]int64 // publications that are answered, by user
	points map[string]int64 // of their receipts
	codes  map[int]int      // answers, by status
	silent int64            // publications whose first answers were no receipts
}

// report reports publications of two users until they are answered.
func (r *reporters) report(reporter, n int) {
	var acts, users []string
	for i := range 2 {
		users = append(users, fmt.Sprint("u", (reporter+n+i*3)%9))
		acts = append(acts, fmt.Sprintf(`{"user":%q,"action":"publish","target":"%d-%d"}`, users[i], reporter, n))
	}
	todo := []int{0, 1}
	for tries := 0; len(todo) > 0; tries++ {
		var some []string
		for _, i := range todo {
			some = append(some, acts[i])
		}
		a := r.Post(r.Service(), harness.Report(some...))
		var answer httpapi.Receipts
		_ = json.Unmarshal([]byte(a.Body), &answer)
		again := r.take(a, answer, todo, users, tries)
		if todo = again; len(todo) > 0 {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func (r *reporters) take(a harness.Answer, answer httpapi.Receipts, todo []int, users []string, tries int) (
	again []int,
) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.codes[a.Status]++
	switch a.Status {
	case http.StatusOK:
		for n, i := range todo {
			receipt := answer.Receipts[n]
			switch receipt.Status {
			case string(ledger.Counted), string(ledger.Duplicate):
				r.did[users[i]]++
				if r.points[users[i]] += receipt.Points; receipt.Points == 0 && tries == 0 {
					r.TB.Errorf("%+v at once", receipt)
				} else if receipt.Points == 0 {
					r.silent++
				}
			case "unavailable":
				again = append(again, i)
			default:
				r.TB.Errorf("receipt %+v", receipt)
			}
		}
		return again
	case http.StatusAccepted: // recorded later
		for _, i := range todo {
			r.did[users[i]]++
			r.silent++
		}
		return nil
	case http.StatusServiceUnavailable:
		if a.Header.Get("Retry-After") == "" {
			r.TB.Errorf("503 without Retry-After: %s", a.Body)
		}
	default:
		r.TB.Errorf("%d %s", a.Status, a.Body)
	}
	return todo
}

// read reads what pages show.
func (r *reporters) read(n int) {
	path := []string{
		"/v1/boards/activity/day", "/v1/boards/activity/month/users/u1", "/v1/articles", "/v1/boards/activity/month?user=u2",
	}[n%4]
	a := r.Get(path, "")
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.codes[a.Status]++; a.Status != http.StatusOK && a.Status != http.StatusServiceUnavailable {
		r.TB.Errorf("%s: %d %s", path, a.Status, a.Body)
	}
}

// answered waits for some more answers that are right.
func (r *reporters) answered(more int) {
	was := -1
	for range 600 {
		r.mu.Lock()
		now := r.codes[http.StatusOK]
		r.mu.Unlock()
		if was < 0 {
			was = now
		}
		if now >= was+more {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	r.TB.Errorf("no %d answers in 30 s", more)
}

// While slots of a cluster move and a node is killed under load, an answer is right or 503
// with Retry-After, and in the end nothing is lost or doubled.
func TestClusterUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := testserver.StartCluster(t, 3)
	client, err := redisstore.Dial(cluster.URL(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	const shards = 4
	f := harness.NewForum(t, harness.Setup{Redis: client, Shards: shards}).Serve()
	r := &reporters{Forum: f, did: map[string]int64{}, points: map[string]int64{}, codes: map[int]int{}}
	_, master := cluster.Owner(redisstore.ClosedKey(0))
	replica := cluster.Replicate(master)
	var all sync.WaitGroup
	for reporter := range 4 {
		all.Go(func() {
			for n := 0; !r.stop.Load(); n++ {
				r.report(reporter, n)
				r.read(n)
			}
		})
	}
	r.answered(20)
	for round := range testserver.Times(2, 20) {
		for shard := range shards {
			_, from := cluster.Owner(redisstore.ClosedKey(shard))
			if to := (from + 1) % 3; shard > 0 {
				cluster.Move(redisstore.ClosedKey(shard), to, 5*time.Millisecond)
			}
		}
		_, from := cluster.Owner(redisstore.ArticlesKey)
		cluster.Move(redisstore.ArticlesKey, (from+1+round)%3, 5*time.Millisecond)
	}
	r.mu.Lock()
	moved := fmt.Sprint(r.codes)
	r.mu.Unlock()
	r.answered(10)
	cluster.Fail(master, replica)
	r.answered(20)
	r.stop.Store(true)
	all.Wait()
	t.Logf("answers: %v while slots moved, %v in the end; %d publications were answered late", moved, r.codes, r.silent)

	f.Now = f.Now.Add(10 * time.Minute)
	client.(*redis.ClusterClient).ReloadState(t.Context()) // as it does by itself after ten seconds
	_, err = f.Recover(t.Context(), f.Now)
	for tries := 0; err != nil && tries < 100; tries++ {
		time.Sleep(100 * time.Millisecond)
		_, err = f.Recover(t.Context(), f.Now)
	}
	if err != nil {
		t.Fatal(err)
	}
	var sum, total int64
	for user, n := range r.did {
		if got := f.ScoreOn("2026-11", user); got != n*publishPoints {
			t.Errorf("%s has %d, want %d", user, got, n*publishPoints)
		}
		sum, total = sum+r.points[user], total+n*publishPoints
	}
	if sum+r.silent*publishPoints != total || sum == 0 {
		t.Errorf("receipts add up to %d, %d publications are without one, scores to %d", sum, r.silent, total)
	}
	a := recovery.Audit{Options: f.Recovery(f.Now), Report: func(x audit.Finding) { t.Errorf("found: %v", x) }}
	if _, err := a.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
