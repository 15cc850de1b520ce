package endtoend_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/runtimeapi"
	"laurel/internal/testserver"
)

// While Redis cannot be reached, does not answer in time or answers with an error,
// whoever asks is told to come again, and a batch of the queue stays there. When
// Redis is back everything is counted once, what had been done though the answer
// was lost included.
func TestRedisInTrouble(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]func(t *testing.T, s *testserver.TestServer, w *way) (end func()){
		"away": func(_ *testing.T, _ *testserver.TestServer, w *way) func() {
			w.set(closed)
			return func() { w.set(open) }
		},
		"slow": func(_ *testing.T, _ *testserver.TestServer, w *way) func() {
			w.set(mute)
			return func() { w.set(open) }
		},
		"full": func(t *testing.T, s *testserver.TestServer, _ *way) func() {
			t.Helper()
			limit := func(bytes string) {
				if err := s.Client().ConfigSet(t.Context(), "maxmemory", bytes).Err(); err != nil {
					t.Fatal(err)
				}
			}
			limit("1")
			return func() { limit("0") }
		},
		"loading": func(t *testing.T, s *testserver.TestServer, _ *way) func() {
			t.Helper()
			refuse := func(rule string) {
				if err := s.Client().Do(t.Context(), "ACL", "SETUSER", "default", rule).Err(); err != nil {
					t.Fatal(err)
				}
			}
			refuse("-@read")
			return func() { refuse("+@read") }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.OwnRedis(t)
			w, url := newWay(t, server.URL())
			f := forumOn(t, server.URL(), "REDIS_URL="+url)
			f.timeout = 4 * time.Second // so that a slow Redis is slower than the function
			taking, asking := f.start(t, record), f.start(t, query)
			like := func(target string) string { return `{"action":"like","target":"` + target + `"}` }
			batch := sqsEvent(t, time.Now(),
				message{id: "1", body: `{"user":"bob","action":"like","target":"q1"}`}, message{id: "2", body: `{"user":"cat","action":"like","target":"q1"}`})

			if diff := cmp.Diff([]string{"counted 2"}, report(t, taking, user("ann"), like("a1"))); diff != "" {
				t.Fatalf("before: %s", diff)
			}
			end := trouble(t, server, w)
			isUnavailable(t, "record", ask(t, taking, http.MethodPost, "/v1/activities", reportOf(like("a2")), user("ann")))
			if name != "full" { // which can be read
				isUnavailable(t, "query", ask(t, asking, http.MethodGet, "/v1/boards/activity/day", "", nobody))
			}
			if failed := deliver(t, taking, batch); !slices.Equal(failed, []string{"1", "2"}) {
				t.Errorf("the batch: %q failed", failed)
			}
			end()

			// What was done while the answers were lost is a duplicate now.
			again := report(t, taking, user("ann"), like("a2"), like("a3"))
			if want := "counted 2"; again[1] != want || (again[0] != want && again[0] != "duplicate 0") {
				t.Errorf("after: %q", again)
			}
			if failed := deliver(t, taking, batch); len(failed) > 0 {
				t.Errorf("the batch again: %q failed", failed)
			}
			if b := boardOf(t, asking, "day"); b.String() != "1 ann 6, 2 bob 2, 3 cat 2" {
				t.Errorf("the board: %s", b)
			}
			f.audit(t)
		})
	}
}

// isUnavailable checks that an answer is 503 and says when to come again.
func isUnavailable(t *testing.T, name string, r response) {
	t.Helper()
	seconds, err := strconv.Atoi(r.header.Get("Retry-After"))
	if r.status != http.StatusServiceUnavailable || err != nil || seconds < 1 ||
		r.header.Get("Content-Type") != "application/problem+json" || r.header.Get("Cache-Control") == "" {
		t.Errorf("%s: %+v", name, r)
	}
}

// While the table cannot be reached a night moves nothing and loses nothing, and
// says that it failed; what is final cannot be read. The next night does it all.
func TestTableInTrouble(t *testing.T) {
	t.Parallel()
	f := newForum(t, "HOT_DAYS=0")
	w, url := newWay(t, f.endpoint)
	moving, asking := f.start(t, archive, "DYNAMODB_ENDPOINT="+url), f.start(t, query, "DYNAMODB_ENDPOINT="+url)
	yesterday := f.now.Add(-24 * time.Hour)
	like := fmt.Sprintf(`{"user":"ann","action":"like","target":"a1","at":%q}`, yesterday.Format(time.RFC3339))
	if diff := cmp.Diff([]string{"counted 2"}, report(t, f.start(t, record), service, like)); diff != "" {
		t.Fatal(diff)
	}
	day := "day?period=" + yesterday.Format(time.DateOnly)

	w.set(closed)
	answer, err := moving.Invoke(t.Context(), []byte(`{}`))
	if _, failed := errors.AsType[*runtimeapi.FunctionError](err); !failed {
		t.Errorf("the night: %s, %v", answer, err)
	}
	isUnavailable(t, "a final board", ask(t, asking, http.MethodGet, "/v1/boards/activity/day?period=2026-01-01", "", nobody))
	if keys := f.keys(t, "board:activity:day:"+yesterday.Format(time.DateOnly)); len(keys) != 1 {
		t.Errorf("Redis has %q", keys)
	}
	w.set(open)

	if b := boardOf(t, asking, day); b.String() != "1 ann 2" || b.Final {
		t.Errorf("the day between the nights: %s, %+v", b, b)
	}
	if _, err := moving.Invoke(t.Context(), []byte(`{}`)); err != nil {
		t.Errorf("the next night: %v", err)
	}
	if b := boardOf(t, asking, day); b.String() != "1 ann 2" || !b.Final {
		t.Errorf("the day after: %s, %+v", b, b)
	}
}
