package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/auth/token"
)

// Of the load on a server whose Redis is lost.
const (
	outageWriters = 8
	outageUsers   = 1_000
	perOutage     = 10 // activities of a report
	outagePause   = 50 * time.Millisecond
)

// An outage is a server that is reported to and read while its Redis is lost.
type outage struct {
	*testing.T
	base, token string
	client      *http.Client

	mu      sync.Mutex
	points  map[string]int64 // by user
	reports int
	longest time.Duration
	boards  map[int]int // answers to who reads, by status
}

// ask sends a request, and returns the answer.
func (o *outage) ask(method, path, body string) (status int, text string, header http.Header) {
	status, text, header, err := send(o.Context(), o.client, method, o.base+path, body, "Authorization", "Bearer "+o.token)
	if err != nil {
		o.Error(err)
	}
	return status, text, header
}

// report reports publications, each of which is to be counted.
func (o *outage) report(rng *rand.Rand, n int) {
	var acts, users []string
	for i := range perOutage {
		users = append(users, fmt.Sprint("u", rng.IntN(outageUsers)))
		acts = append(acts, fmt.Sprintf(`{"action":"publish","user":%q,"target":"%d-%d"}`, users[i], n, i))
	}
	began := time.Now()
	status, text, _ := o.ask(http.MethodPost, "/v1/activities", `{"activities":[`+strings.Join(acts, ",")+`]}`)
	took := time.Since(began)
	if status != http.StatusOK || strings.Count(text, `"counted"`) != perOutage {
		o.Errorf("a report: %d %s", status, text)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.reports++
	o.longest = max(o.longest, took)
	for _, user := range users {
		o.points[user] += 10
	}
}

// read reads a board.
func (o *outage) read() {
	status, text, header := o.ask(http.MethodGet, "/v1/boards/activity/month", "")
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.boards[status]++; status != http.StatusOK &&
		(status != http.StatusServiceUnavailable || header.Get("Retry-After") == "") {
		o.Errorf("a board: %d %s", status, text)
	}
}

// load reports and reads until it is stopped.
func (o *outage) load() (stop func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	for w := range outageWriters {
		rng := rand.New(rand.NewPCG(uint64(w), 31))
		all.Go(func() {
			for n := w; ; n += outageWriters {
				o.report(rng, n)
				if o.read(); o.Failed() {
					return
				}
				select {
				case <-done:
					return
				case <-time.After(outagePause):
				}
			}
		})
	}
	return func() { close(done); all.Wait() }
}

// goesOn waits until each writer has reported and read once more; that long, if tests may take long.
func (o *outage) goesOn(seconds int) {
	o.Helper()
	count := func() int {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.reports
	}
	enough := count() + 2*outageWriters
	for end := time.Now().Add(time.Minute); count() < enough && time.Now().Before(end); {
		time.Sleep(outagePause)
	}
	time.Sleep(time.Duration(testserver.Times(0, seconds)) * time.Second)
}

// board returns the whole board of the month, by user; what it has of it if that cannot be read.
func (o *outage) board() map[string]int64 {
	all := map[string]int64{}
	for path := "/v1/boards/activity/month?limit=100"; path != ""; {
		var page struct {
			Entries []struct {
				Score int64 `json:"score"`
				User  struct {
					ID string `json:"id"`
				} `json:"user"`
			} `json:"entries"`
			Next string `json:"next"`
		}
		status, text, _ := o.ask(http.MethodGet, path, "")
		if status != http.StatusOK || json.Unmarshal([]byte(text), &page) != nil {
			return all
		}
		for _, e := range page.Entries {
			all[e.User.ID] = e.Score
		}
		path = page.Next
	}
	return all
}

// While its Redis is gone, and when that comes back empty or as it was earlier, a server answers every
// report with its receipts, and soon; boards are 503, and whole two minutes after the return.
func TestRedisIsLost(t *testing.T) {
	t.Parallel()
	for name, earlier := range map[string]bool{"empty": false, "earlier": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.OwnRedis(t, "--dir", t.TempDir(), "--dbfilename", "dump.rdb")
			const secret = "the-services-secret-of-tests-of-32-bytes"
			service := harness.Must(token.Sign(secret, "service", "laurel", time.Now().Add(token.MaxAge)))(t)
			o := &outage{
				T: t, token: service, points: map[string]int64{}, boards: map[int]int{},
				client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: outageWriters}},
			}
			slowest, env := time.Minute, append(os.Environ(), "SERVICE_SECRETS="+secret)
			if testserver.Times(1, 10) > 1 {
				slowest, env = 5*time.Second, append(env, "LAUREL_TEST_TICK=1m")
			}
			o.base = start(t, t.TempDir(), env, "serve", "--data", ".", "--rate", "0", "--redis", server.URL()).base
			stop := o.load()
			o.goesOn(10)
			if earlier {
				harness.OK(t, server.Client().Save(t.Context()).Err())
			}
			o.goesOn(10)
			server.Stop()
			o.goesOn(300)
			server.Start()
			returned := time.Now()
			o.goesOn(10)
			stop()
			diff := ""
			for first := true; first || diff != "" && time.Since(returned) < 2*time.Minute; first = false {
				time.Sleep(100 * time.Millisecond)
				diff = cmp.Diff(o.points, o.board())
			}
			if diff != "" {
				t.Errorf("two minutes after the return (-reported +board):\n%.2000s", diff)
			}
			t.Logf("%d reports of %d activities, the slowest took %s; boards answered %v, and were whole %s after the return",
				o.reports, perOutage, o.longest, o.boards, time.Since(returned).Round(time.Millisecond))
			if o.longest > slowest || o.boards[http.StatusServiceUnavailable] == 0 {
				t.Error("a report took too long, or boards were not 503")
			}
		})
	}
}
