package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/record"
	"laurel/shared/view"
)

const perReport = 50 // activities

// writers report what many users did in the last two days, and read.
type writers struct {
	*harness.Forum
	left atomic.Int64 // activities that are to be reported at least
	on   atomic.Bool  // trouble goes on, and so do they

	mu      sync.Mutex
	sum     int // activities
	slowest time.Duration
	codes   map[int]int // answers to who reads, by status
	boards  int         // among those of 200: of all shards
}

// write reports, and reads after each report, until nobody wants more.
func (w *writers) write(rng *rand.Rand) {
	for n := 0; w.on.Load() || w.left.Load() > 0; n++ {
		w.left.Add(-perReport)
		time.Sleep(time.Duration(testserver.Times(20, 0)) * time.Millisecond) // trouble takes seconds anyway
		w.report(rng)
		w.read(n)
	}
}

// report reports activities of many users, each of which has to get its receipt.
func (w *writers) report(rng *rand.Rand) {
	acts, reported := make([]activity.Activity, perReport), make([]string, perReport)
	for i := range acts {
		a := activity.Activity{
			User: fmt.Sprint("u", rng.IntN(1_000)), Target: fmt.Sprint("page-", rng.IntN(300)),
			At: board.MomentOf(w.Now) - board.Moment(rng.Int64N(40*3_600_000)),
		}
		switch a.Action = []string{
			"visit", "visit", "like", "like", "unlike", "bookmark", "comment", "uncomment", "publish", "steps",
		}[rng.IntN(10)]; a.Action {
		case "steps":
			a.Target, a.Value = "", new(rng.Int64N(9_000))
		case "comment", "uncomment":
			a.Ref = fmt.Sprint("c", rng.IntN(3))
		}
		acts[i], reported[i] = a, harness.Reported(a, true)
	}
	began := time.Now()
	answer := w.Post(w.Service(), harness.Report(reported...))
	took := time.Since(began)
	if answer.Status != http.StatusOK {
		w.TB.Errorf("a report: %d %s", answer.Status, answer.Body)
		return
	}
	receipts := harness.JSON[httpapi.Receipts](w.TB, answer).Receipts
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slowest, w.sum = max(w.slowest, took), w.sum+len(acts)
	for i, r := range receipts {
		if !ledger.Status(r.Status).Kept() {
			w.TB.Errorf("%+v: %+v", acts[i], r)
		}
	}
}

// read reads what pages show.
func (w *writers) read(n int) {
	path := []string{
		"/v1/articles", "/v1/boards/activity/day", "/v1/boards/activity/month/users/u1", "/v1/boards/activity/month?user=u2",
	}[n%4]
	a := w.Get(path, "")
	w.mu.Lock()
	defer w.mu.Unlock()
	w.codes[a.Status]++
	if a.Status == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != "" {
		return
	}
	if a.Status != http.StatusOK {
		w.TB.Errorf("%s: %d %v %s", path, a.Status, a.Header, a.Body)
	} else if n%4 > 0 {
		w.boards++
	}
}

// recovered waits until some more boards are answered.
func (w *writers) recovered() {
	count := func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.boards
	}
	until := count() + 5
	for range 600 {
		if count() >= until {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	w.TB.Error("boards are not answered for 30 s")
}

// trouble moves slots through a cluster, and kills its nodes one after the other. It returns how
// many slots moved and how many nodes died.
func (w *writers) trouble(cluster *testserver.Cluster, rounds int) (moves, deaths int) {
	tags := []string{"{0}", "{1}", "{2}", "{3}", "{articles}"}
	for round := 0; round < rounds || w.left.Load() > 0; round++ {
		for _, tag := range tags {
			_, from := cluster.Owner(tag)
			cluster.Move(tag, (from+1+round)%3, 5*time.Millisecond)
			moves++
		}
		w.recovered()
		_, master := cluster.Owner(tags[round%len(tags)])
		replica := cluster.Replicate(master)
		w.recovered()
		cluster.Fail(master, replica)
		deaths++
		for range 100 { // a tick every now and then mends what the replica lacks
			if _, err := w.Tick(w.TB.Context()); err == nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		w.recovered()
	}
	return moves, deaths
}

// While slots of a cluster of three move and its nodes are killed under load, every report has its
// receipts, boards answer or say 503 with Retry-After, and after a comparison all is exact.
func TestClusterUnderLoad(t *testing.T) {
	t.Parallel()
	cluster := testserver.StartCluster(t, 3)
	client := harness.Must(view.Dial(cluster.URL(), true))(t)
	t.Cleanup(func() { _ = client.Close() })
	f := harness.NewForum(t, harness.Setup{Redis: client, Shards: 4}).Serve()
	w := &writers{Forum: f, codes: map[int]int{}}
	w.left.Store(int64(testserver.Times(2_000, 100_000)))
	w.on.Store(true)
	var all sync.WaitGroup
	for n := range uint64(testserver.Times(4, 16)) {
		all.Go(func() { w.write(rand.New(rand.NewPCG(n, 31))) })
	}
	began := time.Now()
	moves, deaths := w.trouble(cluster, testserver.Times(1, 6))
	w.on.Store(false)
	all.Wait()
	t.Logf("%d activities in %s, the slowest report took %s; %d slots moved, %d nodes died; boards answered %v",
		w.sum, time.Since(began), w.slowest, moves, deaths, w.codes)

	if _, err := f.Recorder.Compare(t.Context(), record.CompareOptions{Scores: true}); err != nil {
		t.Fatal(err)
	}
	audit, err := f.Recorder.Compare(t.Context(), record.CompareOptions{Audit: true})
	if err != nil || audit.Differ > 0 || w.sum == 0 {
		t.Errorf("%+v, %v", audit, err)
	}
}
