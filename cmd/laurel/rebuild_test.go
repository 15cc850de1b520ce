package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
)

// operated is a forum as its operator has it: a Redis, a folder as the table, and the
// flags that say so.
type operated struct {
	*testing.T
	client *redis.Client
	folder string // of the table and files
	flags  []string
}

// newOperated starts a forum that has history, articles, votes, follow lists, a final board,
// and users who are hidden and excluded.
func newOperated(t *testing.T, more ...string) *operated {
	t.Helper()
	folder := t.TempDir()
	csv := filepath.Join(folder, "days.csv")
	if err := os.WriteFile(csv, []byte(someDays), 0o600); err != nil {
		t.Fatal(err)
	}
	options, err := redis.ParseURL(testserver.OwnRedis(t).URL())
	if err != nil {
		t.Fatal(err)
	}
	o := &operated{t, redis.NewClient(options), folder, []string{
		"--redis", "redis://" + options.Addr, "--data", filepath.Join(folder, "table"), "--now", "2026-11-24T18:00:00Z",
	}}
	t.Cleanup(func() { _ = o.client.Close() })
	base, _, stop := dev(t, append(append([]string{"--import", csv}, o.flags...), more...)...)
	live(t, base)
	stop()
	o.flags[len(o.flags)-1] = later
	o.does("archive", exitDone, ", 0 left")
	return o
}

// later is when everything that has happened in a forum is in the past.
const later = "2026-11-24T19:00:00Z"

// live has a day go by on a server.
func live(t *testing.T, base string) {
	t.Helper()
	c, service := harness.NewClient(t, base), service(t, base)
	for _, step := range [][3]string{
		{http.MethodPost, "/v1/articles", `{"id":"w1","author":{"id":"ann"},"title":"One","groups":["g"]}`},
		{http.MethodPost, "/v1/activities", harness.Report(
			`{"user":"bob","action":"like","target":"w1"}`,
			`{"user":"eve","action":"comment","target":"w1"}`, `{"user":"mal","action":"like","target":"w1"}`,
			`{"user":"hid","action":"like","target":"w1"}`)},
		{http.MethodPut, "/v1/users/ann/following", `{"users":[{"id":"bob"},{"id":"eve"}]}`},
		{http.MethodPut, "/v1/users/hid/visibility", `{"boards":"hidden"}`},
		{http.MethodPut, "/v1/users/mal/exclusion", ""},
	} {
		if a := c.Do(step[0], step[1], service, step[2]); a.Status >= http.StatusBadRequest {
			t.Fatalf("%s: %d %s", step[1], a.Status, a.Body)
		}
	}
}

func service(t *testing.T, base string) string {
	t.Helper()
	_, token, _ := get(t, base+"/dev/token?scope=laurel/service")
	return strings.TrimSpace(token)
}

// answersOf reads what a server answers, public and private.
func answersOf(t *testing.T, base string) map[string]string {
	t.Helper()
	c, token, answers := harness.NewClient(t, base), service(t, base), map[string]string{}
	paths := []string{
		"/v1/boards/activity/day", "/v1/boards/activity/month", "/v1/boards/activity/day/periods",
		"/v1/articles", "/v1/boards/activity/day/users/ann/friends", "/v1/users/bob/votes?article=w1",
	}
	for _, day := range []string{"2026-11-19", "2026-11-20", "2026-11-23"} {
		paths = append(paths, "/v1/boards/activity/day?period="+day)
	}
	for _, user := range []string{"ann", "bob", "eve", "mal", "hid"} {
		for _, of := range []string{"/activity?days=5", "/following", "/standings"} {
			paths = append(paths, "/v1/users/"+user+of)
		}
	}
	for _, path := range paths {
		a := c.Get(path, token)
		if a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
		answers[path] = asOf.ReplaceAllString(a.Body, "")
	}
	return answers
}

// answers reads what a server answers that is started on the stores.
func (o *operated) answers() map[string]string {
	o.Helper()
	base, _, stop := dev(o.T, o.flags...)
	defer stop()
	return answersOf(o.T, base)
}

// does runs a command with the flags of the stores, and checks its exit code and a piece of
// what it says.
func (o *operated) does(command string, code int, piece string) (said string) {
	o.Helper()
	out, errs, got := laurel(o.T, "", append(strings.Fields(command), o.flags...)...)
	if got != code || !strings.Contains(out+errs, piece) {
		o.Errorf("laurel %s: exit %d, want %d with %q:\n%s%s", command, got, code, piece, out, errs)
	}
	return out + errs
}

// lose removes the keys of patterns, of each of which there have to be some.
func (o *operated) lose(patterns string) {
	o.Helper()
	for pattern := range strings.FieldsSeq(patterns) {
		keys, err := o.client.Keys(o.Context(), pattern).Result()
		if err == nil {
			err = o.client.Del(o.Context(), keys...).Err()
		}
		if err != nil {
			o.Fatalf("%s: %v", pattern, err)
		}
	}
}

// A Redis that was emptied, whole or in part, is as it was after a rebuild.
func TestRebuild(t *testing.T) {
	t.Parallel()
	o := newOperated(t, "--shards", "2")
	before := o.answers()
	o.does("rebuild", exitDone, "") // under load a report may not have been shown
	o.does("rebuild", exitDone, "nothing is missing")
	for _, lost := range []string{"*", "laurel:{0}:*", "laurel:{1}:*", "laurel:{articles}:*"} {
		o.lose(lost)
		o.does("recover --shards 2", exitDone,
			"parts of the view are empty, or of something else. They are filled from the table.")
		o.does("recover", exitDone, "Nothing is wrong.")
		o.lose(lost)
		o.does("rebuild --shards 2", exitDone, "parts filled")
		o.does("rebuild", exitDone, "nothing is missing")
		o.does("audit", exitDone, "no differences")
		if diff := cmp.Diff(before, o.answers()); diff != "" {
			t.Errorf("after %s was lost (-before +after):\n%s", lost, diff)
		}
	}

	o.lose("*")
	o.client.Do(t.Context(), "CLIENT", "PAUSE", 60_000, "WRITE")
	ctx, interrupt := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer interrupt()
	if _, errs, code := laurelContext(ctx, "", append([]string{"rebuild"}, o.flags...)...); code != exitFound ||
		!strings.Contains(errs, "run it again") {
		t.Errorf("interrupted: %d, %s", code, errs)
	}
	o.client.Do(t.Context(), "CLIENT", "UNPAUSE")
	o.does("rebuild --shards 2", exitDone, "parts filled")
	o.does("rebuild --reshard --shards 3", exitDone, "4 parts filled")
	for _, command := range []string{
		"rebuild", "archive", "archive --dry-run", "audit", "rebuild --all", "rebuild --empty",
	} {
		o.does(command, exitDone, "")
	}
	o.does("audit", exitDone, "no differences")
	if diff := cmp.Diff(before, o.answers()); diff != "" {
		t.Errorf("in 3 shards (-before +after):\n%s", diff)
	}
}

// Commands with another zone or number of shards than those of the stores are refused.
func TestOtherSettings(t *testing.T) {
	t.Parallel()
	o := newOperated(t, "--shards", "2", "--timezone", "Europe/Berlin")
	const other = "app: the stores were filled with other settings: "
	for _, command := range []string{
		"rebuild", "archive", "archive --dry-run", "audit", "import " + filepath.Join(o.folder, "days.csv"),
		"reopen 2026-11-19", "recover", "dev --addr 127.0.0.1:0",
	} {
		o.does(command+" --shards 3", exitUsage, "--shards: "+other+"they have 2 shards")
		o.does(command+" --timezone Asia/Tokyo", exitUsage, "--timezone: "+other+"their zone is Europe/Berlin")
	}
	o.does("rebuild --reshard --timezone Asia/Tokyo --shards 2", exitUsage, "--timezone: ")
	o.does("rebuild --reshard", exitUsage, "--shards is missing")
}

// Where single keys are lost the audit finds them, and what compares scores mends them.
func TestSingleKeysLost(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	before := o.answers()
	keys := o.client.Keys(t.Context(), "*").Val()
	for n, lost := range append(keys, "*board*") {
		if strings.Contains(lost, "marker") || len(o.client.Keys(t.Context(), lost).Val()) == 0 {
			continue
		}
		o.lose(lost)
		o.does([]string{"rebuild --all", "audit --apply"}[n%2], exitDone, "")
		o.does("audit", exitDone, "no differences")
		if diff := cmp.Diff(before, o.answers()); diff != "" {
			t.Errorf("after %s was lost (-before +after):\n%s", lost, diff)
		}
	}
}

// A development server that starts again on its folder has everything it had.
func TestDevStartsAgain(t *testing.T) {
	t.Parallel()
	flags := []string{"--data", filepath.Join(t.TempDir(), "table"), "--now", "2026-11-24T18:00:00Z"}
	base, _, stop := dev(t, flags...)
	live(t, base)
	before := answersOf(t, base)
	stop()
	flags[len(flags)-1] = later
	base, _, stop = dev(t, flags...)
	if diff := cmp.Diff(before, answersOf(t, base)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	again := post(t, base+"/v1/activities", service(t, base),
		harness.Report(`{"user":"eve","action":"comment","target":"w1"}`))
	if !strings.Contains(again, `"duplicate"`) {
		t.Errorf("reported again: %s", again)
	}
	stop()
	o := operated{T: t, flags: flags}
	o.does("dev --addr 127.0.0.1:0 --timezone Asia/Tokyo", exitUsage, "--timezone: ")
}
