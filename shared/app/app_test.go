package app_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/app"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/gateway"
)

// configuration is that of a function with a Redis.
func configuration(url string) *app.Config {
	return &app.Config{Calendar: board.NewCalendar(time.UTC), Rules: activity.Default(), Shards: 1, RedisURL: url}
}

// record returns the handler that takes reports in.
func record(t *testing.T, c *app.Config) http.Handler {
	t.Helper()
	a, err := app.Open(c, app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Store.Close() })
	return a.API(httpapi.Record)
}

// like reports a like and returns the answer.
func like(ctx context.Context, handler http.Handler) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/activities",
		strings.NewReader(`{"activities":[{"action":"like","target":"42"}]}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// A Redis that accepts and says nothing is told before the time is over, and the
// next request works when Redis does.
func TestASilentRedisIsToldInTime(t *testing.T) {
	t.Parallel()
	options := testserver.OwnRedis(t).Options()
	var silent atomic.Bool
	silent.Store(true)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				if silent.Load() {
					_, _ = io.Copy(io.Discard, client)
					return
				}
				redis, err := net.Dial("tcp", options.Addr)
				if err != nil {
					return
				}
				defer redis.Close()
				go func() { _, _ = io.Copy(client, redis) }()
				_, _ = io.Copy(redis, client)
			}()
		}
	}()
	handler := record(t, configuration("redis://"+listener.Addr().String()))
	ada := auth.WithCaller(t.Context(), auth.Caller{User: "ada"})
	ctx, cancel := context.WithTimeout(ada, 2*time.Second)
	defer cancel()
	early, stop := gateway.Early(ctx) // as the gateway does
	defer stop()
	w := like(early, handler)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if ctx.Err() != nil {
		t.Error("the function's time was over")
	}
	silent.Store(false)
	if w := like(ada, handler); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"counted"`) {
		t.Errorf("when Redis is back: %d %s", w.Code, w.Body)
	}
}

// A process that serves many requests at once sends them to Redis together, and counts each.
func TestRequestsShareTheirWay(t *testing.T) {
	t.Parallel()
	proxy, url := testserver.ProxyURL(t, testserver.RedisURL(t))
	var counted atomic.Int64
	a, err := app.Open(configuration(url), app.Options{
		Shares: true, RedisTook: func(context.Context, time.Duration) { counted.Add(1) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Store.Close() })
	view := board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), Limit: 30}
	harness.Read(t, a.Store, view) // Redis knows the script
	proxy.All(testserver.LateReply)
	trips, before := proxy.RoundTrips(), counted.Load()
	const readers = 30
	var all sync.WaitGroup
	for range readers {
		all.Go(func() { harness.Read(t, a.Store, view) })
	}
	all.Wait()
	trips = proxy.RoundTrips() - trips
	if n := counted.Load() - before; trips > readers/2 || n < readers {
		t.Errorf("%d round trips for %d reads, counted %d", trips, readers, n)
	}
}

func TestClockRunsOn(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now := (&app.Config{Now: start}).Clock()
	time.Sleep(2 * time.Millisecond)
	if ahead := now().Sub(start); ahead <= 0 || ahead > time.Minute {
		t.Errorf("it shows %s", now())
	}
	if plain := (&app.Config{}).Clock(); time.Since(plain()) > time.Minute {
		t.Errorf("without a start it shows %s", plain())
	}
}
