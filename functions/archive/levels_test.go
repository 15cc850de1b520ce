package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"os"
	"regexp"
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

var filtered = regexp.MustCompile(`FilterPattern: (?:&\w+ )?'\{ \$\.message = "([^"]+)"`)

// However quiet a log is, it has each line that a metric filter of the template counts, and the
// lines of metrics, none below its level: Lambda would drop those.
func TestMetricsAtEveryLevel(t *testing.T) {
	t.Parallel()
	template := harness.Must(os.ReadFile("../../template.yaml"))(t)
	patterns := filtered.FindAllSubmatch(template, -1)
	if len(patterns) < 8 {
		t.Fatalf("%d patterns of messages", len(patterns))
	}
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError, slog.LevelError + 4} {
		t.Run(app.Level(level), func(t *testing.T) {
			t.Parallel()
			lines := troubled(t, level)
			for _, pattern := range patterns {
				message := string(pattern[1])
				if !slices.ContainsFunc(lines, func(l logged) bool { return l.Message == message }) {
					t.Errorf("there is no line %q", message)
				}
			}
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

// A logged line is of the log, or of metrics.
type logged struct {
	Level     string    `json:"level"`
	Timestamp time.Time `json:"timestamp"`
	Message   string    `json:"message"`
	Operation string    `json:"Operation"` //nolint:tagliatelle // the dimension's name
}

// troubled makes every event happen that the filters count, and returns the log.
func troubled(t *testing.T, level slog.Level) (lines []logged) {
	t.Helper()
	client := testserver.OwnRedis(t, "--maxmemory-policy", "noeviction").Client()
	f := harness.NewForum(t, harness.Setup{Redis: client})
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
	harness.OK(t, f.Items.MarkImport(t.Context(), "1", "file.csv", board.MomentOf(f.Now), november))
	run(`{"task":"schedule"}`)
	f.People.Wait = time.Hour // for its second half
	if a := f.Do(http.MethodDelete, "/v1/users/ann", f.Service(), ""); a.Status != http.StatusAccepted {
		t.Errorf("erasing: %d %s", a.Status, a.Body)
	}
	run(`{}`)
	harness.OK(t, client.ConfigSet(t.Context(), "maxmemory", "1").Err())
	f.Now = f.Now.AddDate(0, 0, 1)
	f.Did("cat follow bob")
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
	for text := range strings.Lines(f.Out.String()) {
		var line logged
		if err := json.NewDecoder(bytes.NewBufferString(text)).Decode(&line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		lines = append(lines, line)
	}
	return lines
}
