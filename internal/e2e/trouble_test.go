package e2e_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/testserver"
)

// While Redis is unavailable, slow or answers with an error, reports have their receipts and
// boards 503; a tick brings the boards to what was reported.
func TestRedisInTrouble(t *testing.T) {
	t.Parallel()
	config := func(args ...any) func(*testing.T, *testserver.Server, *testserver.Proxy) {
		return func(t *testing.T, s *testserver.Server, _ *testserver.Proxy) {
			t.Helper()
			if err := s.Client().Do(t.Context(), args...).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	fault := func(f testserver.Fault) func(*testing.T, *testserver.Server, *testserver.Proxy) {
		return func(_ *testing.T, _ *testserver.Server, p *testserver.Proxy) { p.All(f) }
	}
	for name, trouble := range map[string]struct {
		begin, end func(*testing.T, *testserver.Server, *testserver.Proxy)
	}{
		"unavailable": {fault(testserver.CutBefore), fault(testserver.NoFault)},
		"slow":        {fault(testserver.NoReply), fault(testserver.NoFault)},
		"full":        {config("CONFIG", "SET", "maxmemory", "1"), config("CONFIG", "SET", "maxmemory", "0")},
		"refusing":    {config("ACL", "SETUSER", "default", "-@read"), config("ACL", "SETUSER", "default", "+@read")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.OwnRedis(t)
			p, through := testserver.ProxyURL(t, server.URL())
			f := forumOn(t, server.URL(), 4*time.Second, "REDIS_URL="+through) // a slow Redis is slower than that
			like := func(target string) string { return `{"action":"like","target":"` + target + `"}` }
			batch := e2e.Batch(time.Now(), e2e.Message{ID: "1", Body: `{"user":"bob","action":"like","target":"q1"}`},
				e2e.Message{ID: "2", Body: `{"user":"cat","action":"like","target":"q1"}`})
			f.report(ann, "counted 2", like("a1"))

			trouble.begin(t, server, p)
			f.report(ann, "counted 2", like("a2"))
			if name != "full" { // it can be read then
				f.unavailable(nobody, "GET /v1/boards/activity/day", "")
			}
			f.deliver(batch)
			trouble.end(t, server, p)
			f.tick(f.start(archive))

			f.report(ann, "duplicate 0, counted 2", like("a2"), like("a3"))
			f.deliver(batch)
			f.board("day", "1 ann 6, 2 bob 2, 3 cat 2")
			f.audit()
		})
	}
}

// unavailable checks that a request is answered with 503 and when to come again.
func (f *forum) unavailable(c e2e.Caller, request, body string) {
	f.t.Helper()
	a := f.expect(c, request, body, http.StatusServiceUnavailable)
	if seconds, err := strconv.Atoi(a.Header["Retry-After"]); err != nil || seconds < 1 ||
		a.Header["Cache-Control"] == "" {
		f.t.Errorf("%s: %+v", request, a)
	}
}

// While the table is unavailable the nightly run moves nothing, loses nothing and
// fails; final boards cannot be read. The next run moves everything.
func TestTableInTrouble(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	p, through := testserver.ProxyURL(t, f.table.Endpoint)
	endpoint := "DYNAMODB_ENDPOINT=" + through
	moving := f.start(archive, endpoint)
	f.query = f.start(query, endpoint)
	_, suffix, day := f.yesterday()
	f.report(e2e.Service, "counted 2", `{"user":"ann","action":"like","target":"a1"`+suffix)

	p.All(testserver.CutBefore)
	text, err := moving.Invoke(t.Context(), []byte(`{}`))
	if _, failed := errors.AsType[*e2e.FunctionError](err); !failed {
		t.Errorf("the nightly run answers %s, %v", text, err)
	}
	f.unavailable(nobody, "GET /v1/boards/activity/day?period=2026-01-01", "")
	p.All(testserver.NoFault)

	f.board(day, "1 ann 2")
	f.night(moving, `"boards":[{"board":"activity","entries":1,`)
	f.board(day, "1 ann 2 final")
}

// A read of a live board takes one round trip to Redis, and recording one, however many
// users and activities are in a request.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	url := testserver.RedisURL(t)
	p, through := testserver.ProxyURL(t, url)
	f := forumOn(t, url, 0, "REDIS_URL="+through)
	for _, round := range []string{"first", "second"} { // the first one connects and loads the scripts
		var many []string
		for i := range 100 {
			many = append(many, fmt.Sprintf(`{"user":"u%d","action":"like","target":"%s %d"}`, i%50, round, i))
		}
		trips := func(what string, want int64, step func()) {
			before := p.RoundTrips()
			step()
			if got := p.RoundTrips() - before; round == "second" && got != want {
				t.Errorf("%s took %d round trips, want %d", what, got, want)
			}
		}
		for _, step := range []struct {
			caller        e2e.Caller
			request, body string
			want          int64
		}{
			{ann, "POST /v1/activities", reportOf(`{"action":"like","target":"` + round + `"}`), 1},
			{e2e.Service, "POST /v1/activities", reportOf(many...), 1},
			{nobody, "GET /v1/boards/activity/day?limit=100", "", 1},
			{nobody, "GET /v1/boards/activity/day?user=ann", "", 1},
			{nobody, "GET /v1/boards/activity/day/users/ann", "", 1},
			{ann, "GET /v1/users/ann/standings", "", 1},
			{ann, "GET /v1/boards/activity/day/users/ann/friends", "", 1},
		} {
			trips(step.request, step.want, func() { f.expect(step.caller, step.request, step.body, http.StatusOK) })
		}
		batch := strings.ReplaceAll(reportOf(many...), `"like"`, `"bookmark"`)
		trips("a batch of the queue", 1, func() {
			f.deliver(e2e.Batch(time.Now(), e2e.Message{ID: "1", Body: batch},
				e2e.Message{ID: "2", Body: `{"user":"u1","action":"like","target":"` + round + `"}`}))
		})
	}
}
