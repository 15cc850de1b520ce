package main

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/core/metrics"
)

// zoe is an id that a search finds.
const zoe = `zoë-"47114711"`

// A quiet forum logs everything, measures, and has zoe in all data that is kept of users.
type quiet struct{ *harness.Forum }

func newQuiet(t *testing.T) *quiet {
	t.Helper()
	f := &quiet{harness.NewForum(t, harness.Setup{Shards: 2})}
	*f.Log = *slog.New(slog.NewJSONHandler(f.Out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	f.Metrics = metrics.New(f.Out, metrics.Options{Namespace: "Laurel", Now: time.Now})
	f.Serve()
	for range 3 {
		f.Did(zoe+" like a1", "ann like a1", "ann follow "+zoe, zoe+" follow ann")
		f.Now = f.Now.AddDate(0, 0, 1)
	}
	const article = `{"id":"a2","author":{"id":"zoë-\"47114711\""},"title":"T","groups":["g"]}`
	if a := f.Do(http.MethodPost, "/v1/articles", f.Service(), article); a.Status != http.StatusCreated {
		t.Fatal(a.Status, a.Body)
	}
	f.Did(zoe+" like a1", "ann like a2", zoe+" like a2")
	f.run()
	return f
}

// run reads, reports and runs everything that may name a user.
func (f *quiet) run() {
	f.TB.Helper()
	handle := handler(f.App)
	f.Now = f.Now.Add(2 * time.Hour)
	path := "/v1/users/" + "zo%C3%AB-%2247114711%22"
	for _, text := range []string{
		"/activity?days=5", "/standings", "/following", "/visibility", "/exclusion", "", "/export", "/erasure", "/entries",
	} {
		f.Get(path+text, f.Service())
	}
	f.Get("/v1/boards/activity/month"+path[len("/v1"):]+"/friends", f.Service())
	f.Get("/v1/boards/activity/day?user=zo%C3%AB-%2247114711%22", f.Service())
	f.Post(f.Service(), harness.Report(`{"user":"zoë-\"47114711\"","action":"like","target":"b"}`,
		`{"user":"ann","action":"follow","target":"zoë-\"47114711\""}`, `{"user":"ann","action":"like","target":"a2"}`))
	f.Put(path, f.Service(), `{"name":"Zoe"}`)
	f.Put(path+"/visibility", f.Service(), `{"boards":"hidden"}`)
	f.Put(path+"/following", f.Service(), `{"users":["zoë-\"47114711\""]}`)
	f.Put(path+"/following", f.Service(), `{"users":["eve"]}`)
	for _, event := range []string{`{"task":"schedule"}`, `{}`} {
		if _, err := handle(f.TB.Context(), []byte(event)); err != nil {
			f.Log.Error("the function's error", "error", err.Error())
		}
	}
}

// silent says that something was logged since the last call, and nothing with the id.
func (f *quiet) silent(text string) {
	f.TB.Helper()
	log := f.Out.String()
	f.Out.Reset()
	if log == "" {
		f.TB.Errorf("%s: nothing is logged", text)
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "47114711") || strings.Contains(line, "zoë") {
			f.TB.Errorf("%s: the log has the id: %s", text, line)
		}
	}
}

const rubbish = "\x05rubbish"

// No log, no metric and no error of a function names a user, even if data of the user is damaged
// in Redis or the table.
func TestNoIDInAnyLog(t *testing.T) {
	t.Parallel()
	f := newQuiet(t)
	f.silent("nothing is damaged")
	for key, value := range harness.Everything(t, f.Redis) {
		fields, _ := value.(map[string]string)
		scores, _ := value.([]redis.Z)
		for field := range fields {
			if strings.Contains(key+field, "47114711") || strings.Contains(fields[field], "47114711") {
				f.Redis.HSet(t.Context(), key, field, rubbish)
			}
		}
		for _, z := range scores {
			if z.Member == zoe {
				f.Redis.ZAdd(t.Context(), key, redis.Z{Score: 0.5, Member: zoe})
			}
		}
	}
	f.run()
	f.silent("values in Redis")
	f.Redis.FlushDB(t.Context())
	f.run()
	f.silent("Redis is emptied")
	f.Damage(zoe)
	f.run()
	f.silent("the table")
	f.Redis.FlushDB(t.Context())
	f.run()
	f.silent("the table, and Redis is lost")
}
