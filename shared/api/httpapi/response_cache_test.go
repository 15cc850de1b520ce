package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// cached is a cache of the answers of a handler of the test's own.
func cached(next http.HandlerFunc) *httpapi.ResponseCache {
	return httpapi.NewResponseCacheOf(httpapi.Options{Ledger: harness.UTC()}, next)
}

// ask sends a request and returns its answer's body.
func ask(ctx context.Context, h http.Handler, method, path string, headers ...string) string {
	r := httptest.NewRequestWithContext(ctx, method, path, http.NoBody)
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Body.String()
}

// numbered answers reads with the number of the read, after ten milliseconds, and with the status that the
// query has; private says whether nobody may keep it.
func numbered(reads *atomic.Int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status := http.StatusOK
		_, _ = fmt.Sscan(r.URL.Query().Get("status"), &status)
		if r.Method != http.MethodGet {
			w.WriteHeader(status)
			return
		}
		n := reads.Add(1)
		select {
		case <-time.After(10 * time.Millisecond):
		case <-r.Context().Done():
			status = http.StatusServiceUnavailable
		}
		w.Header().Set("Cache-Control", map[bool]string{true: "private", false: "public"}[r.URL.Query().Has("private")])
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, n)
	}
}

// Each line is a request, the time from the last answer to its begin in milliseconds, and the read that answers it:
// a public answer is kept for a tenth of a second after its reading began, each form for itself, unless
// something changes; parameters that others append to the address of a page make no other form. Errors are not kept,
// nor private or present data, nor very long addresses.
const keptReads = `
0 GET day 1, 89 GET day 1, 1 GET day 2, 0 GET day?limit=3 3, 0 GET day 2, 80 GET day 4
0 GET /v1/health 5, 0 GET /v1/health 6, 0 GET /v1/users/ann/standings 7, 0 GET /v1/users/ann/standings 8
0 GET day 4, 0 GET day 9 gzip, 0 GET day 10 br, 0 GET day 9 gzip
0 POST day?status=401, 0 POST day?status=403, 0 POST day?status=405, 0 GET day 4
0 PUT day?status=200, 0 GET day 11, 0 PUT day?status=202, 0 GET day 12, 0 PUT day?status=204, 0 GET day 13
0 PUT day?status=404, 0 GET day 14, 0 PUT day?status=500, 0 GET day 15, 0 PUT day?status=503, 0 GET day 16
0 GET day?status=404 17, 0 GET day?status=404 18, 0 GET day?status=422 19, 0 GET day?status=422 20
0 GET day?status=503 21, 0 GET day?status=503 22, 0 GET day?private 23, 0 GET day?private 24
0 GET day 16, 0 GET long 25, 0 GET long 26
0 GET page 27, 0 GET page?utm_source=x&v=2 27, 0 GET page?limit=3 28, 0 GET page?fbclid=%zz&limit=3 28`

func TestPublicAnswersAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := cached(numbered(&atomic.Int64{}))
		for step := range strings.SplitSeq(strings.ReplaceAll(keptReads[1:], "\n", ", "), ", ") {
			words := append(strings.Fields(step), "", "")
			later, _ := strconv.Atoi(words[0])
			time.Sleep(time.Duration(later) * time.Millisecond)
			path := strings.NewReplacer("day", today, "page", "/embed/activity/day.html",
				"long", today+"?period="+strings.Repeat("x", 5_000)).Replace(words[2])
			if got := ask(t.Context(), k, words[1], path, "Accept-Encoding", words[4]); got != words[3] {
				t.Errorf("%s: read %s", step, got)
			}
		}
	})
}

// Concurrent reads share one: a client that leaves does not take it from the others, and a change
// meanwhile does. More addresses than 500 are not kept.
func TestReadsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reads := &atomic.Int64{}
		k := cached(numbered(reads))
		gone, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { ask(gone, k, "GET", today) })
		synctest.Wait()
		for i := range 10 {
			all.Go(func() {
				if got := ask(t.Context(), k, "GET", today); got != "1" {
					t.Errorf("reader %d: %q", i, got)
				}
			})
		}
		synctest.Wait()
		cancel()
		all.Wait()
		k.Invalidate()
		go ask(t.Context(), k, "GET", today)
		synctest.Wait()
		k.Invalidate()
		for range 2 {
			if got := ask(t.Context(), k, "GET", today); got != "3" {
				t.Errorf("changed while it was read: %q", got)
			}
		}
		for i := range 1_002 { // twice of each, and twice of one more
			all.Go(func() { ask(t.Context(), k, "GET", fmt.Sprint(today, "?offset=", i/2)) })
			synctest.Wait()
		}
		all.Wait()
		if got := reads.Load(); got != 3+499+2*2 {
			t.Errorf("%d reads", got)
		}
	})
}

// During changes and reads at once, a request that begins when a change was answered sees
// it, and nothing that is older than a tenth of a second.
func TestChangesAndReadsAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pauses := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 60), 12, 12), 2, 8).Draw(rt, "pauses")
		synctest.Test(t, func(t *testing.T) {
			var value, answered atomic.Int64
			var overwritten sync.Map // value: when it was overwritten
			k := cached(func(w http.ResponseWriter, r *http.Request) {
				before, _ := strconv.Atoi(r.URL.Query().Get("limit"))
				time.Sleep(time.Duration(before) * time.Millisecond)
				n := value.Load()
				if r.Method == http.MethodPost {
					n = value.Add(1)
					overwritten.Store(n-1, time.Now())
				}
				time.Sleep(7 * time.Millisecond)
				w.Header().Set("Cache-Control", "public")
				_, _ = fmt.Fprint(w, n)
			})
			var all sync.WaitGroup
			for _, p := range pauses {
				all.Go(func() {
					for i, pause := range p {
						time.Sleep(time.Duration(pause) * time.Millisecond)
						least, began := answered.Load(), time.Now()
						method := []string{"GET", "GET", "POST"}[(i+pause)%3]
						got, _ := strconv.ParseInt(ask(t.Context(), k, method, fmt.Sprint(today, "?limit=", pause%2*20)), 10, 64)
						for method == "POST" && answered.Load() < got {
							answered.CompareAndSwap(answered.Load(), got)
						}
						if got < least {
							t.Errorf("read %d when %d was answered", got, least)
						}
						if over, ok := overwritten.Load(got); ok && began.Sub(over.(time.Time)) > 100*time.Millisecond {
							t.Errorf("read %d, which was over for %s", got, began.Sub(over.(time.Time)))
						}
					}
				})
			}
			all.Wait()
		})
	})
}
