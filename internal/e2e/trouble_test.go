package e2e_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/testserver"
)

// While Redis is slow or answers with an error, reports have their receipts within a function's
// time, and boards 503; a tick brings the boards to what was reported.
func TestRedisInTrouble(t *testing.T) {
	t.Parallel()
	allow := func(t *testing.T, s *testserver.Server, rule string) {
		t.Helper()
		if err := s.Client().Do(t.Context(), "ACL", "SETUSER", "default", rule).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for name, trouble := range map[string]func(t *testing.T, s *testserver.Server, p *testserver.Proxy) (end func()){
		"slow": func(_ *testing.T, _ *testserver.Server, p *testserver.Proxy) func() {
			p.All(testserver.NoReply)
			return func() { p.All(testserver.NoFault) }
		},
		"refusing": func(t *testing.T, s *testserver.Server, _ *testserver.Proxy) func() {
			t.Helper()
			allow(t, s, "-@read")
			return func() { allow(t, s, "+@read") }
		},
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

			end := trouble(t, server, p)
			f.report(ann, "counted 2", like("a2"))
			a := f.expect(nobody, "GET /v1/boards/activity/day", "", http.StatusServiceUnavailable)
			if seconds, err := strconv.Atoi(a.Header["Retry-After"]); err != nil || seconds < 1 {
				t.Errorf("%+v", a)
			}
			f.deliver(batch)
			end()
			f.tick(f.start(archive))

			f.report(ann, "duplicate 0, counted 2", like("a2"), like("a3"))
			f.deliver(batch)
			f.board("day", "1 ann 6, 2 bob 2, 3 cat 2")
			f.audit()
		})
	}
}
