package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
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
)

// A Redis that accepts and says nothing costs no receipt, is told to who reads before the time is
// over, and has what came meanwhile when it answers.
func TestASilentRedisIsToldInTime(t *testing.T) {
	t.Parallel()
	proxy, url := testserver.ProxyURL(t, testserver.RedisURL(t))
	proxy.All(testserver.NoReply)
	c := &app.Config{
		Calendar: board.NewCalendar(time.UTC), Rules: activity.Default(), Shards: 1, RedisURL: url,
		HotDays: 3, HotMonths: 2, LedgerMonths: 13,
	}
	client := harness.Must(app.Dial(c))(t)
	t.Cleanup(func() { _ = client.Close() })
	a := app.New(c, client, embedded.New(time.Now), app.Defaults(c))
	handler := a.API(httpapi.Record, httpapi.Query)
	ada := auth.WithCaller(t.Context(), auth.Caller{User: "ada"})
	ctx, cancel := context.WithTimeout(ada, 5*time.Second)
	defer cancel()
	early, stop := httpapi.WithReserve(ctx) // as the gateway does
	defer stop()
	do := func(ctx context.Context, method, path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(body)))
		return w
	}
	const like = `{"activities":[{"action":"like","target":"42"}]}`
	const month = "/v1/boards/activity/month"
	if w := do(early, http.MethodPost, "/v1/activities", like); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), `"counted"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := do(early, http.MethodGet, month, ""); w.Code != http.StatusServiceUnavailable ||
		w.Header().Get("Retry-After") == "" {
		t.Errorf("the board: %d %v %s", w.Code, w.Header(), w.Body)
	}
	if ctx.Err() != nil {
		t.Error("the function's time was over")
	}
	proxy.All(testserver.NoFault)
	if _, err := a.Tick(t.Context()); err != nil {
		t.Error(err)
	}
	if w := do(ada, http.MethodGet, month, ""); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), `"score":2`) {
		t.Errorf("when Redis is back: %d %s", w.Code, w.Body)
	}
}

func TestClockRunsOn(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now := (&app.Config{Now: start}).NewClock()
	time.Sleep(2 * time.Millisecond)
	if ahead := now().Sub(start); ahead <= 0 || ahead > time.Minute {
		t.Errorf("it shows %s", now())
	}
	if plain := (&app.Config{}).NewClock(); time.Since(plain()) > time.Minute {
		t.Errorf("without a start it shows %s", plain())
	}
}
