package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/metrics"
	"laurel/shared/run/app"
	"laurel/shared/store/table"
)

// However quiet a log is, each metric filter of the template takes its number from one of its lines, and it has the
// lines of metrics, none below its level: Lambda would drop those.
func TestMetricsAtEveryLevel(t *testing.T) {
	t.Parallel()
	filters := harness.LogFilters(t, "../../template.yaml")
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError, slog.LevelError + 4} {
		t.Run(app.Level(level), func(t *testing.T) {
			t.Parallel()
			texts := troubled(t, level)
			for _, f := range filters {
				if f.Log != accessLog && !slices.ContainsFunc(texts, f.Measures) {
					t.Errorf("%s takes nothing from any of %d lines", f.Name, len(texts))
				}
			}
			lines := decoded(t, texts)
			if !slices.ContainsFunc(lines, func(l logged) bool { return l.Operation == "night" }) {
				t.Error("there is no line of metrics")
			}
			allowed := []string{"INFO", "WARN", "ERROR", "FATAL"}
			for _, l := range lines {
				if level > slog.LevelInfo &&
					(slices.Index(allowed, l.Level) < slices.Index(allowed, app.Level(level)) || l.Timestamp.IsZero()) {
					t.Errorf("Lambda would drop %+v", l)
				}
			}
		})
	}
}

// accessLog is that of API Gateway.
const accessLog = "ApiLog"

// A logged line is of the log, or of metrics.
type logged struct {
	Level     string    `json:"level"`
	Timestamp time.Time `json:"timestamp"`
	Message   string    `json:"message"`
	Operation string    `json:"Operation"` //nolint:tagliatelle // the dimension's name
}

// decoded returns the lines of a log.
func decoded(t *testing.T, texts []string) (lines []logged) {
	t.Helper()
	for _, text := range texts {
		var line logged
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		lines = append(lines, line)
	}
	return lines
}

// troubled makes every event happen that the filters count, and returns the lines of the log.
func troubled(t *testing.T, level slog.Level) []string {
	t.Helper()
	client := testserver.OwnRedis(t, "--maxmemory-policy", "noeviction").Client()
	var late time.Duration
	f := harness.NewForum(t, harness.Setup{
		Redis: client, Real: func() time.Time { return time.Now().Add(late) },
	})
	*f.Log = *app.Logger(f.Out, level, false) // of all its contexts
	o := metrics.Options{Namespace: "Laurel", Now: f.Clock}
	if level > slog.LevelInfo {
		o.Level = app.Level(level)
	}
	f.Metrics = metrics.New(f.Out, o)
	f.Serve()
	handle := handler(f.App)
	run := func(event string) {
		t.Helper()
		if _, err := handle(t.Context(), []byte(event)); err != nil {
			t.Errorf("%s: %v", event, err)
		}
	}
	f.Did("ann like a1", "bob like a1")
	client.FlushDB(t.Context())
	if a := f.Get("/v1/boards/activity/day", ""); a.Status != http.StatusServiceUnavailable {
		t.Errorf("emptied: %d", a.Status)
	}
	f.Did("cat like a1") // the view is behind then
	november := harness.Period(t, "2026-11").First().Month()
	harness.OK(t, f.Items.MarkImport(t.Context(), "1", "file.csv", board.MomentOf(time.Now()), november))
	run(`{"task":"schedule"}`)
	f.People.Wait = time.Hour // for its second half
	if a := f.Do(http.MethodDelete, "/v1/users/ann", f.Service(), ""); a.Status != http.StatusAccepted {
		t.Errorf("erasing: %d %s", a.Status, a.Body)
	}
	run(`{}`)
	harness.OK(t, client.ConfigSet(t.Context(), "maxmemory", "1").Err())
	f.Now = f.Now.AddDate(0, 0, 1)
	f.Did("cat follow bob")
	late = max(time.Until(f.Now), 0) + 8*24*time.Hour // of the import, the erasure and the view, by either clock
	run(`{"task":"schedule"}`)
	harness.OK(t, client.ConfigSet(t.Context(), "maxmemory", "0").Err())
	for _, key := range client.Keys(t.Context(), "*:seen:2026-11:*").Val() { // of a later table
		for field := range client.HGetAll(t.Context(), key).Val() {
			client.HSet(t.Context(), key, field, "9999999999999")
		}
	}
	_, _ = handle(t.Context(), []byte(`{"task":"schedule"}`)) // the erasure cannot be shown
	harness.Damage(t, f.Table, table.Key{Partition: "EVENTS#badges", Sort: "damaged"}, []byte(rubbish))
	sender := f.Sender([]activity.EventAddress{{Name: "badges"}}) // the function events has it
	if r, err := sender.Run(t.Context()); err != nil || r.GivenUp != 1 {
		t.Errorf("sending: %+v, %v", r, err)
	}
	return slices.Collect(strings.Lines(f.Out.String()))
}
