package main

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/shared/app"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/metrics"
	"laurel/shared/people"
)

// zoe is an id that a search finds.
const zoe = `zoë-"47114711"`

// A quiet forum logs everything, measures, and has zoe in all that is kept of users.
type quiet struct {
	*harness.Forum
	table *harness.Crash
}

func newQuiet(t *testing.T) *quiet {
	t.Helper()
	f := &quiet{harness.NewForum(t, harness.Setup{Shards: 2}), &harness.Crash{}}
	f.table.Store = f.Table
	f.Log = slog.New(slog.NewJSONHandler(f.Out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	f.Metrics = metrics.New(f.Out, "Laurel", time.Now)
	f.Kept = app.Keep(f.table, f.Store, f.Ledger, 0, f.Log, f.Clock)
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
	harness.Hide(t, f.Store, zoe, true)
	harness.ReplaceFollowing(t, f.Store, zoe, []string{"ann", "bob"}, board.MomentOf(f.Now))
	if err := f.Kept.People.Put(t.Context(), map[string]people.Profile{zoe: {Name: "Zoe"}}); err != nil {
		t.Fatal(err)
	}
	f.run()
	return f
}

// run has everything read, reported and run that a user may be named in.
func (f *quiet) run() {
	f.TB.Helper()
	handle := handler(f.App, func() time.Time { return f.Now })
	f.Now = f.Now.Add(2 * time.Hour)
	path := "/v1/users/" + "zo%C3%AB-%2247114711%22"
	for _, what := range []string{
		"activity?days=5", "standings", "following", "visibility", "exclusion", "profile", "export", "erasure",
	} {
		f.Get(path+"/"+what, f.Service())
	}
	f.Get("/v1/boards/activity/month"+path[len("/v1"):]+"/friends", f.Service())
	f.Get("/v1/boards/activity/day?user=zo%C3%AB-%2247114711%22", f.Service())
	f.Get("/v1/boards/activity/day/periods/2026-11-20", f.Service())
	f.Post(f.Service(), harness.Report(`{"user":"zoë-\"47114711\"","action":"like","target":"b"}`,
		`{"user":"ann","action":"follow","target":"zoë-\"47114711\""}`, `{"user":"ann","action":"like","target":"a2"}`))
	f.Put(path+"/following", f.Service(), `{"following":["zoë-\"47114711\""]}`)
	f.Put(path+"/following", f.Service(), `{"following":["eve"]}`)
	for _, event := range []string{`{"task":"schedule"}`, `{}`} {
		if _, err := handle(f.TB.Context(), []byte(event)); err != nil {
			f.Log.Error("the function's error", "error", err.Error())
		}
	}
}

// silent says that something was logged since the last call, and nothing with the id.
func (f *quiet) silent(what string) {
	f.TB.Helper()
	log := f.Out.String()
	f.Out.Reset()
	if log == "" {
		f.TB.Errorf("%s: nothing is logged", what)
	}
	for line := range strings.Lines(log) {
		if strings.Contains(line, "47114711") || strings.Contains(line, "zoë") {
			f.TB.Errorf("%s: the log has the id: %s", what, line)
		}
	}
}

const rubbish = "\x05rubbish"

// No log, no metric and no error of a function names a user, whatever of the user is damaged
// in Redis or the table.
func TestNoIDInAnyLog(t *testing.T) {
	t.Parallel()
	f := newQuiet(t)
	f.silent("nothing is damaged")
	was := f.State()
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
	for key := range was {
		if strings.Contains(key, "47114711") {
			f.Redis.Del(t.Context(), key)
			f.Redis.Set(t.Context(), key, rubbish, 0)
		}
	}
	f.run()
	f.silent("keys in Redis")
	f.Redis.FlushDB(t.Context())
	f.Redis.Set(t.Context(), "laurel:{7}:pages:"+zoe, rubbish, 0)
	f.run()
	f.silent("a strange key")
	f.Redis.FlushDB(t.Context())
	f.run()
	items := 0
	for _, item := range f.table.Items(t) {
		if !strings.Contains(item.Partition+item.Sort, "47114711") {
			continue
		}
		items++
		damaged := archive.Item{Key: item.Key, Data: []byte(rubbish), Expires: item.Expires}
		if err := f.table.Replace(t.Context(), damaged, item.Data); err != nil {
			t.Fatal(err)
		}
	}
	if items < 3 {
		t.Fatalf("%d items of the user", items)
	}
	if err := f.Store.DropProfiles(t.Context(), zoe); err != nil {
		t.Fatal(err)
	}
	f.run()
	f.silent("the table")
	f.Redis.FlushDB(t.Context())
	f.run()
	f.silent("the table, and Redis is lost")
}
