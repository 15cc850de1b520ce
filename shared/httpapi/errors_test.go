package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/codec"
	"laurel/shared/httpapi"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/table"
	"laurel/shared/view"
)

// Without Redis boards are 503 with Retry-After; reports have receipts, webhooks are taken, and
// what is of one person is read and changed. When it is back, empty, boards are 503 until they
// are filled, and lack nothing then.
func TestRedisUnavailable(t *testing.T) {
	t.Parallel()
	proxy, through := testserver.ProxyURL(t, testserver.RedisURL(t))
	client, err := view.Dial(through, false)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f := openWith(t, harness.Setup{Redis: client})
	f.Did("ann like a0", "bob visit a0")
	proxy.All(testserver.CutBefore)
	refused := func(retry string) {
		t.Helper()
		for _, path := range []string{
			today, today + "/users/ann", today + "/periods", friends, "/v1/articles", "/v1/groups",
		} {
			a := f.Get(path, f.Service())
			if p := a.Problem(t); a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != retry ||
				strings.Contains(p.Detail, "dial") {
				t.Errorf("%s: status %d, %v: %s", path, a.Status, a.Header, a.Body)
			}
			if strings.Contains(a.Header.Get("Cache-Control"), "public") || a.Header.Get("ETag") != "" {
				t.Errorf("an error may be kept: %v", a.Header)
			}
		}
	}
	refused("1")
	f.Says(f.Post(f.User("ann"), list(like)), http.StatusOK, `{"receipts":[{"status":"counted","points":2,`+
		`"board":"activity","day":"2026-11-20","scores":{"day":4,"month":4}}]}`)
	for name, a := range map[string]answer{
		"a list replaced": f.Put("/v1/users/ann/following", f.User("ann"), `{"users":[{"id":"bob"}]}`),
		"a list":          f.Get("/v1/users/ann/following", f.Service()),
		"days":            f.Get("/v1/users/ann/activity", f.Service()),
		"entries":         f.Get("/v1/users/ann/entries", f.Service()),
		"a profile put":   f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`),
		"a profile":       f.Get("/v1/users/ann", ""),
		"hiding":          f.Put("/v1/users/bob/visibility", f.Service(), `{"boards":"hidden"}`),
		"excluding":       f.Put("/v1/users/cid/exclusion", f.Service(), ""),
		"rules":           f.Get("/v1/rules", ""),
		"the document":    f.Get("/openapi.json", ""),
	} {
		if a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
		}
	}
	f.Says(f.Get("/v1/health", ""), http.StatusServiceUnavailable,
		`{"status":"unavailable","stores":{"redis":"unavailable","table":"ok"}}`)
	if !strings.Contains(f.Out.String(), "unavailable") {
		t.Error("nothing was logged")
	}
	proxy.All(testserver.NoFault)
	f.Redis.FlushDB(t.Context())
	refused("30")
	f.Did("ann like a2")
	f.Fill()
	f.Shows(today, "", `[{"rank":1,"score":6,"user":{"id":"ann","name":"Ann"}}]`)
	f.Shows(friends, f.User("ann"), `[{"rank":1,"boardRank":1,"score":6,"user":{"id":"ann","name":"Ann"}}]`)
}

// odd is a recorder and a view with which everything goes wrong.
type odd struct {
	httpapi.Recorder
	httpapi.View
	err error
}

func (o odd) Record(context.Context, []activity.Activity, record.Arrival) ([]record.Result, error) {
	if o.err == nil {
		panic("the secret of the store")
	}
	return nil, o.err
}

func (o odd) Read(context.Context, board.View) (view.Page, error) {
	if o.err == nil {
		panic("the secret of the store")
	}
	return view.Page{}, o.err
}

func TestErrorsTellOnlyTheirKind(t *testing.T) {
	t.Parallel()
	f := open(t)
	wrap := func(err error) error { return errors.Join(errors.New("the secret of the store"), err) }
	for name, c := range map[string]struct {
		err    error
		status int
	}{
		"a panic":                {nil, http.StatusInternalServerError},
		"an unknown error":       {wrap(nil), http.StatusInternalServerError},
		"an unreadable value":    {wrap(codec.ErrDamaged), http.StatusInternalServerError},
		"another zone":           {wrap(records.ErrZone), http.StatusServiceUnavailable},
		"a later format":         {wrap(records.ErrFormat), http.StatusServiceUnavailable},
		"too many writers":       {wrap(table.ErrConflict), http.StatusServiceUnavailable},
		"an unavailable store":   {wrap(table.ErrUnavailable), http.StatusServiceUnavailable},
		"a client that has gone": {wrap(errors.Join(table.ErrUnavailable, context.Canceled)), http.StatusServiceUnavailable},
	} {
		f.Out.Reset()
		f.Serve(func(o *httpapi.Options) { o.Recorder, o.View = odd{err: c.err}, odd{err: c.err} })
		for _, a := range []answer{f.Get("/v1/boards/activity/day", ""), f.Post(f.User("ann"), list(like, like))} {
			if a.Problem(t); a.Status != c.status || strings.Contains(a.Body, "secret") {
				t.Errorf("%s: %d %s", name, a.Status, a.Body)
			}
		}
		if n := strings.Count(f.Out.String(), "the secret of the store"); n != 2 {
			t.Errorf("%s: the cause is logged %d times, not for each of 2 answers: %s", name, n, f.Out)
		}
	}
}

// An answer lists many violations, but not more than fit into it.
func TestManyViolations(t *testing.T) {
	t.Parallel()
	f := open(t)
	fields := make([]string, 0, 20_000)
	for i := range 20_000 {
		fields = append(fields, `"x`+string(rune('a'+i%26))+strings.Repeat("0", i/26%4)+string(rune(0x4e00+i))+`":1`)
	}
	a := f.Post(f.User("ann"), `{"activities":[{`+strings.Join(fields, ",")+`}]}`)
	p := a.Problem(t)
	if a.Status != http.StatusUnprocessableEntity || len(p.Errors) != 1000 ||
		p.Detail != "validation failed; only the first 1000 of 20001 violations are listed" {
		t.Errorf("%d, %d violations: %s", a.Status, len(p.Errors), p.Detail)
	}
	long := strings.Repeat("é", 50_000)
	a = f.Post(f.User("ann"), list(`{"action":"`+long+`","`+long+`":"`+long[:1000]+`"}`))
	if places := a.Problem(t).Locations(); len(a.Body) > 4000 || len(places) != 2 ||
		!slices.Contains(places, "body.activities[0].action") {
		t.Errorf("%d bytes, %d violations", len(a.Body), len(places))
	}
	name := `"` + strings.Repeat("n", 100_000) + `":1`
	if a = f.Post(f.User("ann"), "{"+name+","+name+"}"); a.Status != http.StatusBadRequest || len(a.Body) > 1000 {
		t.Errorf("a long name twice: %d, %d bytes", a.Status, len(a.Body))
	}
}

// Without the table whatever takes it is 503, and changes nothing; live boards have their names.
func TestTableUnavailable(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`)
	f.Did("ann like 1", "bob visit 1")
	f.published("1", "ann")
	before := f.State()
	f.Table.Unavailable.Store(true)
	f.Shows(today, "", `[{"rank":1,"score":12,"user":{"id":"ann","name":"Ann"}},{"rank":2,"score":1,"user":{"id":"bob"}}]`)
	for _, r := range []string{
		"POST /v1/activities " + list(likes), "PUT /v1/users/ann/visibility " + `{"boards":"hidden"}`,
		"PUT /v1/users/ann/exclusion ", "DELETE /v1/articles/1 ", "POST /v1/articles " + simple("2", "ann"),
		`PUT /v1/articles/1 {"title":"T","author":{"id":"ann"}}`, `PUT /v1/users/ann {"name":"Ann"}`, "GET /v1/users/bob ",
		`PUT /v1/users/ann/following {"users":[{"id":"bob"}]}`, "GET /v1/users/ann/following ", "DELETE /v1/users/ann ",
		"GET /v1/users/ann/erasure ", "GET /v1/users/ann/activity ", "GET /v1/users/ann/export ",
		"GET " + friends + " ", "GET " + spam + " ", "PUT " + spam + " {}",
	} {
		part := strings.SplitN(r, " ", 3)
		a := f.Do(part[0], part[1], f.Service(), part[2])
		if p := a.Problem(t); a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "1" ||
			strings.Contains(p.Detail, "secret") {
			t.Errorf("%s: %d %s", r, a.Status, a.Body)
		}
	}
	f.Table.Unavailable.Store(false)
	if diff := cmp.Diff(before, f.State()); diff != "" {
		t.Errorf("Redis has changed (-before +after):\n%s", diff)
	}
	f.Says(f.Get("/v1/users/bob", ""), http.StatusNotFound, "")
	f.Says(f.Get("/v1/users/ann/erasure", f.Service()), http.StatusNotFound, "")
}
