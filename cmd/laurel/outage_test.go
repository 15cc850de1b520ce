package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
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
	*server
	token string

	mu      sync.Mutex
	points  map[string]int // by user
	reports int
	longest time.Duration
	boards  map[int]int // answers to who reads, by status
}

// load reports publications, each of which is to be counted, and reads a board, until it is stopped.
func (o *outage) load() (stop func()) {
	done := make(chan struct{})
	var all sync.WaitGroup
	for w := range outageWriters {
		all.Go(func() {
			for n := w; !exited(done) && !o.Failed(); n += outageWriters {
				var acts []string
				user := fmt.Sprint("u", n%outageUsers)
				for i := range perOutage {
					acts = append(acts, fmt.Sprintf(`{"action":"publish","user":%q,"target":"%d-%d"}`, user, n, i))
				}
				began := time.Now()
				status, text := o.ask(o.T, http.MethodPost, "/v1/activities", o.token,
					`{"activities":[`+strings.Join(acts, ",")+`]}`)
				took := time.Since(began)
				if status != http.StatusOK || strings.Count(text, `"counted"`) != perOutage {
					o.Errorf("a report: %d %s", status, text)
				}
				status, text = o.ask(o.T, http.MethodGet, "/v1/boards/activity/month", "", "")
				if status != http.StatusOK && status != http.StatusServiceUnavailable {
					o.Errorf("a board: %d %s", status, text)
				}
				o.mu.Lock()
				o.reports, o.longest, o.points[user] = o.reports+1, max(o.longest, took), o.points[user]+10*perOutage
				o.boards[status]++
				o.mu.Unlock()
				time.Sleep(outagePause)
			}
		})
	}
	return func() { close(done); all.Wait() }
}

// goesOn waits until each writer has reported and read once more; that long, if tests may take long.
func (o *outage) goesOn(seconds int) {
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

var (
	entryOf = regexp.MustCompile(`"score":(\d+),[^{}]*"user":\{"id":"(\w+)"`)
	nextOf  = regexp.MustCompile(`"next":"([^"]+)"`)
)

// board returns the whole board of the month, by user; what it has of it if that cannot be read.
func (o *outage) board() map[string]int {
	all := map[string]int{}
	for path := "/v1/boards/activity/month?limit=100"; path != ""; {
		_, text := o.ask(o.T, http.MethodGet, path, "", "")
		for _, e := range entryOf.FindAllStringSubmatch(text, -1) {
			all[e[2]], _ = strconv.Atoi(e[1])
		}
		path = ""
		if next := nextOf.FindStringSubmatch(text); next != nil {
			path = next[1]
		}
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
			redis := testserver.OwnRedis(t, "--dir", t.TempDir(), "--dbfilename", "dump.rdb")
			const secret = "the-services-secret-of-tests-of-32-bytes"
			service := harness.Must(token.Sign(secret, "service", "laurel", time.Now().Add(token.MaxAge)))(t)
			o := &outage{T: t, token: service, points: map[string]int{}, boards: map[int]int{}}
			slowest, env := time.Minute, append(os.Environ(), "SERVICE_SECRETS="+secret)
			if testserver.Times(1, 10) > 1 {
				slowest, env = 5*time.Second, append(env, "LAUREL_TEST_TICK=1m")
			}
			o.server = start(t, t.TempDir(), env, "serve", "--data", ".", "--rate", "0", "--redis", redis.URL())
			stop := o.load()
			o.goesOn(10)
			if earlier {
				harness.OK(t, redis.Client().Save(t.Context()).Err())
			}
			o.goesOn(10)
			redis.Stop()
			o.goesOn(300)
			redis.Start()
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
