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
	"laurel/shared/table/embedded"
	"laurel/shared/view"
)

// configuration is that of a function with a Redis.
func configuration(url string) *app.Config {
	return &app.Config{
		Calendar: board.NewCalendar(time.UTC), Rules: activity.Default(), Shards: 1, RedisURL: url,
		HotDays: 3, HotMonths: 2, LedgerMonths: 13,
	}
}

// open opens an App on a table in memory, by the client of a Redis as it is changed.
func open(t *testing.T, c *app.Config, change ...func(view.Client)) *app.App {
	t.Helper()
	client := harness.Must(app.Dial(c))(t)
	t.Cleanup(func() { _ = client.Close() })
	for _, f := range change {
		f(client)
	}
	o := app.Defaults(c)
	o.Wait = time.Nanosecond
	return app.New(c, client, embedded.New(time.Now), o)
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

// month reads the month's board.
func month(ctx context.Context, handler http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/boards/activity/month", http.NoBody))
	return w
}

// A Redis that accepts and says nothing costs no receipt, is told to who reads before the time is
// over, and has what came meanwhile when it answers.
func TestASilentRedisIsToldInTime(t *testing.T) {
	t.Parallel()
	options := testserver.OwnRedis(t).Options()
	var silent atomic.Bool
	silent.Store(true)
	listener := harness.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
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
	a := open(t, configuration("redis://"+listener.Addr().String()))
	handler := a.API(httpapi.Record, httpapi.Query)
	ada := auth.WithCaller(t.Context(), auth.Caller{User: "ada"})
	ctx, cancel := context.WithTimeout(ada, 5*time.Second)
	defer cancel()
	early, stop := httpapi.WithReserve(ctx) // as the gateway does
	defer stop()
	if w := like(early, handler); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"counted"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := month(early, handler); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("the board: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if ctx.Err() != nil {
		t.Error("the function's time was over")
	}
	silent.Store(false)
	if _, err := a.Tick(t.Context()); err != nil {
		t.Error(err)
	}
	if w := month(ada, handler); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"score":2`) {
		t.Errorf("when Redis is back: %d %s", w.Code, w.Body)
	}
}

// A process that serves many requests at once sends them to Redis together, and counts each.
func TestRequestsShareTheirWay(t *testing.T) {
	t.Parallel()
	proxy, url := testserver.ProxyURL(t, testserver.RedisURL(t))
	var counted, sent atomic.Int64
	a := open(t, configuration(url), func(c view.Client) {
		view.TimeTrips(c, func(context.Context, time.Duration) { counted.Add(1) })
		view.SharePipelines(c)
		view.TimeTrips(c, func(context.Context, time.Duration) { sent.Add(1) }) // of what is shared
	})
	if _, err := a.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := board.View{Board: "activity", Period: harness.Period(t, "2026-11-20"), Limit: 30}
	read := func() {
		if _, err := a.View.Read(t.Context(), page); err != nil {
			t.Error(err)
		}
	}
	read() // Redis knows the script
	proxy.All(testserver.LateReply)
	trips, before := sent.Load(), counted.Load()
	const readers = 30
	var all sync.WaitGroup
	for range readers {
		all.Go(read)
	}
	all.Wait()
	trips = sent.Load() - trips
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
