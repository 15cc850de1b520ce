package app_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/record"
	"laurel/shared/view"
)

const publishPoints = 10

// reporters report publications, and read.
type reporters struct {
	*harness.Forum
	stop   atomic.Bool
	mu     sync.Mutex
	points map[string]int64 // of their receipts
	codes  map[int]int      // answers to who reads, by status
}

// report reports publications of two users, which are counted at once.
func (r *reporters) report(reporter, n int) {
	users := []string{fmt.Sprint("u", (reporter+n)%9), fmt.Sprint("u", (reporter+n+3)%9)}
	target := fmt.Sprint(" publish ", reporter, "-", n)
	receipts := r.Did(users[0]+target, users[1]+target)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, receipt := range receipts {
		if r.points[users[i]] += receipt.Points; receipt.Status != "counted" || receipt.Points != publishPoints {
			r.TB.Errorf("receipt %+v", receipt)
		}
	}
}

// read reads what pages show.
func (r *reporters) read(n int) {
	path := []string{
		"/v1/boards/activity/day", "/v1/boards/activity/month/users/u1", "/v1/articles", "/v1/boards/activity/month?user=u2",
	}[n%4]
	a := r.Get(path, "")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.codes[a.Status]++
	if a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "" {
		return
	}
	if a.Status != http.StatusOK {
		r.TB.Errorf("%s: %d %v %s", path, a.Status, a.Header, a.Body)
	}
}

// read200 waits for some more boards.
func (r *reporters) read200(more int) {
	count := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.codes[http.StatusOK]
	}
	until := count() + more
	for range 600 {
		if count() >= until {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	r.TB.Errorf("no %d boards in 30 s", more)
}

// move moves the slots of a view through a cluster, some times.
func move(cluster *testserver.Cluster, tags []string, rounds int) {
	for round := range rounds {
		for _, tag := range tags {
			_, from := cluster.Owner(tag)
			cluster.Move(tag, (from+1+round)%3, 5*time.Millisecond)
		}
	}
}

// While slots of a cluster of three move and a node is killed under load, every report has its
// receipt, boards answer or say 503 with Retry-After, and after a comparison all is exact.
func TestClusterUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := testserver.StartCluster(t, 3)
	client, err := view.Dial(cluster.URL(), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	f := harness.NewForum(t, harness.Setup{Redis: client, Shards: 4}).Serve()
	r := &reporters{Forum: f, points: map[string]int64{}, codes: map[int]int{}}
	_, master := cluster.Owner("{0}")
	replica := cluster.Replicate(master)
	var all sync.WaitGroup
	for reporter := range testserver.Times(4, 16) {
		all.Go(func() {
			for n := 0; !r.stop.Load(); n++ {
				r.report(reporter, n)
				r.read(n)
			}
		})
	}
	r.read200(20)
	move(cluster, []string{"{1}", "{2}", "{3}", "{articles}"}, testserver.Times(2, 20))
	r.read200(10)
	cluster.Fail(master, replica)
	for range 100 { // a tick every now and then mends what the replica lacks
		if _, err = f.Tick(t.Context()); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	r.read200(20)
	r.stop.Store(true)
	all.Wait()

	client.(*redis.ClusterClient).ReloadState(t.Context()) // as it does by itself after ten seconds
	if _, err := f.Recorder.Compare(t.Context(), record.CompareOptions{Scores: true}); err != nil {
		t.Fatal(err)
	}
	var sum int64
	for user, points := range r.points {
		sum += points
		if got := f.ScoreOn("2026-11", user); got != points || got == 0 {
			t.Errorf("%s has %d, and receipts for %d", user, got, points)
		}
	}
	t.Logf("%d points, boards answered %v", sum, r.codes)
	if audit, err := f.Recorder.Compare(t.Context(), record.CompareOptions{Audit: true}); err != nil || audit.Differ > 0 {
		t.Errorf("%+v, %v", audit, err)
	}
}
