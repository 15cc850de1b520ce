package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/run/app"
	"laurel/shared/store/table/embedded"
	"laurel/shared/store/view/redisview"
)

// A Redis that accepts and says nothing costs no receipt. Readers learn of it before the time is over, and it has
// the reports that came meanwhile when it answers.
func TestASilentRedisIsReportedInTime(t *testing.T) {
	t.Parallel()
	proxy, url := testserver.ProxyURL(t, testserver.RedisURL(t))
	proxy.All(testserver.NoReply)
	c := &app.Config{
		Calendar: board.NewCalendar(time.UTC), Rules: activity.Default(), Shards: 1, RedisURL: url,
		HotDays: 3, HotMonths: 2, LedgerMonths: 13,
	}
	client := harness.Must(app.Dial(c))(t)
	t.Cleanup(func() { _ = client.Close() })
	a := app.New(c, redisview.On(client), embedded.New(time.Now), app.Defaults(c))
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

// A line has Lambda's names, and the request that it belongs to.
func TestLinesAreLambdas(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := app.Logger(&out, slog.LevelWarn, false)
	ctx := lambdacontext.NewContext(t.Context(), &lambdacontext.LambdaContext{AwsRequestID: "request-1"})
	log.InfoContext(ctx, "not this one")
	log.With("part", "queue").WarnContext(ctx, "this one", "cause", errors.New("no room"))
	var line map[string]string
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if _, err := time.Parse(time.RFC3339Nano, line["timestamp"]); err != nil {
		t.Error(err)
	}
	delete(line, "timestamp")
	want := map[string]string{
		"level": "WARN", "message": "this one", "requestId": "request-1", "part": "queue",
		"cause": "no room",
	}
	for name, value := range want {
		if line[name] != value {
			t.Errorf("%s is %q, want %q", name, line[name], value)
		}
	}
	if len(line) != len(want) {
		t.Errorf("there is more: %v", line)
	}
	out.Reset()
	app.Logger(&out, slog.LevelWarn, true).Error("as text")
	if text := out.String(); !strings.Contains(text, `level=ERROR message="as text"`) {
		t.Errorf("%q", text)
	}
}
