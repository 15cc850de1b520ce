package function_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/config"
	"laurel/shared/deadline"
	"laurel/shared/function"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/devtoken"
)

// settings are those of a function with a Redis.
func settings(url string) config.Config {
	return config.Config{Calendar: board.NewCalendar(time.UTC), Rules: activity.Default(), Shards: 1, RedisURL: url}
}

// record is the handler that takes reports in.
func record(t *testing.T, c config.Config) http.Handler {
	t.Helper()
	f, err := function.New(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Store.Close() })
	f.Log = slog.New(slog.DiscardHandler)
	return f.Handler(httpapi.New(httpapi.Options{Store: f.Store, Ledger: f.Ledger, Now: time.Now, Log: f.Log}, httpapi.Record))
}

// like reports a like and returns the answer.
func like(ctx context.Context, handler http.Handler, token string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/activities", strings.NewReader(`{"activities":[{"action":"like","target":"42"}]}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

func TestFaultsOfSettingsAndOfTheURLComeTogether(t *testing.T) {
	t.Parallel()
	other := errors.New("FORUM_TIMEZONE: there is no Mars")
	_, err := function.New(settings("redis://h?pool_size=2"), other)
	if !errors.Is(err, other) || !strings.Contains(err.Error(), "pool_size") {
		t.Errorf("error %v", err)
	}
	if _, err := function.New(config.Config{}, config.ErrRedisMissing); !errors.Is(err, config.ErrRedisMissing) {
		t.Errorf("error %v", err)
	}
}

// A development token counts where the settings say so, and nowhere else.
func TestDevelopmentTokensHaveASwitch(t *testing.T) {
	t.Parallel()
	token, err := devtoken.Local(time.Now).Sign("ada", "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for _, on := range []bool{false, true} {
		c := settings(testserver.RedisURL(t))
		c.DevTokens = on
		want := map[bool]int{false: http.StatusUnauthorized, true: http.StatusOK}[on]
		if w := like(t.Context(), record(t, c), token); w.Code != want {
			t.Errorf("%t: %d %s", on, w.Code, w.Body)
		}
		if w := like(t.Context(), record(t, c), token+"x"); w.Code != http.StatusUnauthorized {
			t.Errorf("%t: a token of nobody's: %d", on, w.Code)
		}
	}
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
	handler := record(t, settings("redis://"+listener.Addr().String()))
	ada := httpapi.WithCaller(t.Context(), httpapi.NewCaller("ada", nil))
	ctx, cancel := context.WithTimeout(ada, 2*time.Second)
	defer cancel()
	early, stop := deadline.Early(ctx) // as the gateway does
	defer stop()
	w := like(early, handler, "")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if ctx.Err() != nil {
		t.Error("the function's time was over")
	}
	silent.Store(false)
	if w := like(ada, handler, ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"counted"`) {
		t.Errorf("when Redis is back: %d %s", w.Code, w.Body)
	}
}

// A line has Lambda's names, and the request that it belongs to.
func TestLinesAreLambdas(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := settings("")
	c.LogLevel = slog.LevelWarn
	log := function.Logger(c, &out)
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
	want := map[string]string{"level": "WARN", "message": "this one", "requestId": "request-1", "part": "queue", "cause": "no room"}
	for name, value := range want {
		if line[name] != value {
			t.Errorf("%s is %q, want %q", name, line[name], value)
		}
	}
	if len(line) != len(want) {
		t.Errorf("there is more: %v", line)
	}
	out.Reset()
	c.LogText = true
	function.Logger(c, &out).Error("as text")
	if text := out.String(); !strings.Contains(text, `level=ERROR message="as text"`) {
		t.Errorf("%q", text)
	}
}
