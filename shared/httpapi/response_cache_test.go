package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
)

// cached is a cache of the answers of a handler of the test's own.
func cached(next http.HandlerFunc) *httpapi.ResponseCache {
	return httpapi.NewResponseCacheOf(httpapi.Options{Ledger: harness.UTC()}, next)
}

// ask sends a request and returns its answer's body.
func ask(ctx context.Context, h http.Handler, method, path string, headers ...string) string {
	r := httptest.NewRequestWithContext(ctx, method, path, http.NoBody)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Body.String()
}

// numbered answers reads with the number of the read, and takes its time.
func numbered(took time.Duration) (next http.HandlerFunc, reads *atomic.Int64) {
	reads = &atomic.Int64{}
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			return
		}
		n := reads.Add(1)
		select {
		case <-time.After(took):
		case <-r.Context().Done():
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Cache-Control", "public, max-age=0")
		_, _ = fmt.Fprint(w, n)
	}, reads
}

// What is public is kept for a tenth of a second from when its reading began, and read once
// for all who ask meanwhile; what is not is read each time.
func TestPublicAnswersAreKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next, reads := numbered(40 * time.Millisecond)
		k := cached(next)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if got := ask(t.Context(), k, "GET", today); got != "1" {
					t.Errorf("at once: read %s", got)
				}
			})
		}
		all.Wait()
		for _, step := range []struct {
			after time.Duration
			path  string
			want  string
		}{
			{59 * time.Millisecond, today, "1"},
			{time.Millisecond, today, "2"},
			{0, today + "?limit=3", "3"},
			{0, today, "2"},
			{20 * time.Millisecond, today, "4"}, // 100 ms after 2 was asked for
			{0, "/v1/health", "5"},              // public, and of now
			{0, "/v1/health", "6"},
			{0, "/v1/users/ann/standings", "7"},
			{0, "/v1/users/ann/standings", "8"},
		} {
			time.Sleep(step.after)
			if got := ask(t.Context(), k, "GET", step.path); got != step.want {
				t.Errorf("%s: read %s, want %s", step.path, got, step.want)
			}
		}
		for _, accepted := range []string{"gzip", "br", "gzip"} {
			ask(t.Context(), k, "GET", today, "Accept-Encoding", accepted)
		}
		if got := reads.Load(); got != 10 {
			t.Errorf("%d reads, want 10: one for each form", got)
		}
	})
}

// A change is seen by all who ask when it has been answered, whatever was on its way; what is
// refused changes nothing.
func TestAChangeIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next, _ := numbered(10 * time.Millisecond)
		status := 0
		k := cached(func(w http.ResponseWriter, r *http.Request) {
			if next(w, r); status != 0 && r.Method != http.MethodGet {
				w.WriteHeader(status)
			}
		})
		want := 1
		read := func(what string) {
			t.Helper()
			if got := ask(t.Context(), k, "GET", today); got != strconv.Itoa(want) {
				t.Errorf("%s: read %s, want %d", what, got, want)
			}
		}
		read("first")
		for _, refused := range []int{401, 403, 405} {
			status = refused
			ask(t.Context(), k, "POST", "/v1/activities")
			read("refused")
		}
		for _, status = range []int{0, 200, 202, 204, 404, 500, 503} {
			ask(t.Context(), k, "PUT", "/v1/users/ann")
			want++
			read("changed")
		}
		k.Invalidate()
		want++
		go ask(t.Context(), k, "GET", today)
		time.Sleep(5 * time.Millisecond)
		k.Invalidate() // while it is read
		want++
		read("changed while it was read")
		time.Sleep(time.Millisecond)
		read("kept")
	})
}

// Who goes does not take the page from the others.
func TestReadersDoNotFailOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next, _ := numbered(50 * time.Millisecond)
		k := cached(next)
		first, cancel := context.WithCancel(t.Context())
		waiting, cancelWaiting := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { ask(first, k, "GET", today) })
		synctest.Wait()
		for ctx, want := range map[context.Context]string{t.Context(): "1", waiting: ""} {
			all.Go(func() {
				if got := ask(ctx, k, "GET", today); got != want {
					t.Errorf("the first has gone: read %q, want %q", got, want)
				}
			})
		}
		synctest.Wait()
		cancel()
		cancelWaiting()
		all.Wait()
	})
}

// Neither errors nor more addresses than 500 are kept, nor addresses that are very long; nor
// what a public address answers as private.
func TestWhatIsNotKept(t *testing.T) {
	t.Parallel()
	next, reads := numbered(0)
	cacheControl, status := "public", http.StatusOK
	k := cached(func(w http.ResponseWriter, r *http.Request) {
		inner := httptest.NewRecorder()
		next(inner, r)
		w.Header().Set("Cache-Control", cacheControl)
		w.WriteHeader(status)
		_, _ = io.Copy(w, inner.Body)
	})
	count := func(paths ...string) int64 {
		before := reads.Load()
		for _, path := range paths {
			ask(t.Context(), k, "GET", path)
		}
		return reads.Load() - before
	}
	long := today + "?period=" + strings.Repeat("x", 5_000)
	if got := count(long, long); got != 2 {
		t.Errorf("a long address: %d reads", got)
	}
	for _, status = range []int{404, 422, 500, 503} {
		if got := count(today, today); got != 2 {
			t.Errorf("status %d: %d reads", status, got)
		}
	}
	status, cacheControl = http.StatusOK, "private, no-store"
	if got := count(today, today); got != 2 {
		t.Errorf("private: %d reads", got)
	}
	cacheControl = "public"
	synctest.Test(t, func(t *testing.T) {
		var paths []string
		for i := range 500 {
			paths = append(paths, fmt.Sprint(today, "?offset=", i))
		}
		k.Invalidate()
		count(paths...)
		if got := count(paths...); got != 0 {
			t.Errorf("%d of 500 were read again", got)
		}
		if got := count(today, today, paths[0]); got != 2 {
			t.Errorf("above 500: %d reads, want 2", got)
		}
	})
}

// Whatever changes and is read at once, a request that begins when a change was answered sees
// it, and nothing that is older than a tenth of a second.
func TestChangesAndReadsAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		pauses := rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 60), 12, 12), 2, 8).Draw(rt, "pauses")
		synctest.Test(t, func(t *testing.T) {
			var value, answered atomic.Int64
			var at sync.Map // value: when it was overwritten
			k := cached(func(w http.ResponseWriter, r *http.Request) {
				before, _ := strconv.Atoi(r.URL.Query().Get("limit"))
				time.Sleep(time.Duration(before) * time.Millisecond)
				n := value.Load()
				if r.Method == http.MethodPost {
					n = value.Add(1)
					at.Store(n-1, time.Now())
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
						if over, ok := at.Load(got); ok && began.Sub(over.(time.Time)) > 100*time.Millisecond {
							t.Errorf("read %d, which was over for %s", got, began.Sub(over.(time.Time)))
						}
					}
				})
			}
			all.Wait()
		})
	})
}
