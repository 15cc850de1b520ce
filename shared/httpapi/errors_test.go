package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// Without Redis requests that need it are 503 with Retry-After.
func TestRedisUnavailable(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	client, err := redisstore.Dial(server.URL(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f := openWith(t, harness.Setup{Redis: client})
	read[httpapi.Receipts](t, f.Post(f.User("ann"), list(like)))
	server.Stop()
	for _, a := range []answer{
		f.Post(f.User("ann"), list(like)),
		f.Get("/v1/boards/activity/day", ""),
		f.Get("/v1/boards/activity/day/users/ann", ""),
		f.Get("/v1/boards/activity/day/periods", ""),
		f.Get("/v1/users/ann/standings", f.Service()),
		f.Get("/v1/users/ann/activity", f.Service()),
	} {
		if p := a.Problem(t); a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "1" ||
			strings.Contains(p.Detail, "dial") {
			t.Errorf("status %d, %v: %s", a.Status, a.Header, a.Body)
		}
		if strings.Contains(a.Header.Get("Cache-Control"), "public") || a.Header.Get("ETag") != "" {
			t.Errorf("an error may be kept: %v", a.Header)
		}
	}
	if a := f.Get("/v1/health", ""); a.Status != http.StatusServiceUnavailable ||
		strings.TrimSpace(a.Body) != `{"status":"unavailable","stores":{"redis":"unavailable"}}` {
		t.Errorf("health: %d %s", a.Status, a.Body)
	}
	// What needs no store is as it was.
	for _, path := range []string{"/v1/rules", "/openapi.json"} {
		if a := f.Get(path, ""); a.Status != http.StatusOK {
			t.Errorf("%s: %d", path, a.Status)
		}
	}
	if !strings.Contains(f.Out.String(), "unavailable") {
		t.Error("nothing was logged")
	}
}

// odd is a store with which everything goes wrong.
type odd struct {
	httpapi.Store
	results []pages.Result
	err     error
}

func (o odd) Record(context.Context, []activity.Activity, ledger.Arrival) []pages.Result {
	return o.results
}

func (o odd) Read(context.Context, board.View) (boards.Page, error) {
	if o.err == nil {
		panic("the secret of the store")
	}
	return boards.Page{}, o.err
}

func TestErrorsTellOnlyTheirKind(t *testing.T) {
	t.Parallel()
	f := open(t)
	counted := pages.Result{Receipt: ledger.Receipt{Status: ledger.Counted}}
	wrap := func(err error) error { return errors.Join(errors.New("the secret of the store"), err) }
	for name, c := range map[string]struct {
		store  odd
		status int
	}{
		"a panic": {odd{results: []pages.Result{{Err: wrap(nil)}}}, http.StatusInternalServerError},
		"an unknown error": {
			odd{err: wrap(nil), results: []pages.Result{counted, {Err: wrap(nil)}}},
			http.StatusInternalServerError,
		},
		"an unreadable value": {
			odd{
				err:     wrap(redisstore.ErrStored),
				results: []pages.Result{{Err: redisstore.ErrUnavailable}, {Err: wrap(redisstore.ErrStored)}},
			},
			http.StatusInternalServerError,
		},
		"too many writers": {odd{
			err:     wrap(redisstore.ErrBusy),
			results: []pages.Result{{Err: wrap(redisstore.ErrBusy)}},
		}, http.StatusServiceUnavailable},
		"an unavailable store": {odd{
			err:     wrap(redisstore.ErrUnavailable),
			results: []pages.Result{counted, {Err: wrap(redisstore.ErrUnavailable)}},
		}, http.StatusServiceUnavailable},
		"a client that has gone": {odd{
			err:     wrap(errors.Join(redisstore.ErrUnavailable, context.Canceled)),
			results: []pages.Result{{Err: wrap(redisstore.ErrUnavailable)}},
		}, http.StatusServiceUnavailable},
	} {
		f.Out.Reset()
		f.Serve(func(o *httpapi.Options) { o.Store = c.store })
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

// Without Redis requests about people are 503 with Retry-After.
func TestRedisUnavailableForPeople(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	client, err := redisstore.Dial(server.URL(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f := harness.NewForum(t, harness.Setup{Redis: client}).Serve()
	f.Did("ann follow bob")
	server.Stop()
	for name, a := range map[string]answer{
		"friends":         f.Get(friends, f.Service()),
		"a list":          f.Get("/v1/users/ann/following", f.Service()),
		"a list replaced": f.Put("/v1/users/ann/following", f.Service(), `{"users":[{"id":"bob"}]}`),
		"hiding":          f.Put("/v1/users/ann/visibility", f.Service(), `{"boards":"hidden"}`),
		"excluding":       f.Put("/v1/users/ann/exclusion", f.Service(), ""),
		"erasing":         f.Delete("/v1/users/ann", f.Service()),
		"a profile put":   f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`),
		"a profile":       f.Get("/v1/users/ann", ""),
	} {
		p := a.Problem(t)
		if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "1" ||
			strings.Contains(p.Detail, "dial") {
			t.Errorf("%s: status %d, %v: %s", name, a.Status, a.Header, a.Body)
		}
	}
	// What was begun is known, and goes on.
	f.Says(f.Get("/v1/users/ann/erasure", f.Service()), http.StatusOK, `{"state":"running","removed":{}}`)
}

// Without the table boards have the names that Redis has; what takes the table
// says so.
func TestTableUnavailableForPeople(t *testing.T) {
	t.Parallel()
	f := openFull(t)
	f.Did("ann like 1", "bob visit 1")
	f.Put("/v1/users/ann", f.Service(), `{"name":"Ann"}`)
	f.Table.Unavailable.Store(true)
	f.Shows(today, "", `[{"rank":1,"score":2,"user":{"id":"ann","name":"Ann"}},{"rank":2,"score":1,"user":{"id":"bob"}}]`)
	f.Says(f.Get("/v1/users/ann", ""), http.StatusOK, `{"id":"ann","name":"Ann"}`)
	for name, a := range map[string]answer{
		"a profile that Redis does not know": f.Get("/v1/users/bob", ""),
		"erasing":                            f.Delete("/v1/users/ann", f.Service()),
		"an erasure":                         f.Get("/v1/users/ann/erasure", f.Service()),
	} {
		p := a.Problem(t)
		if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") != "1" ||
			strings.Contains(p.Detail, "secret") {
			t.Errorf("%s: status %d: %s", name, a.Status, a.Body)
		}
	}
	f.Table.Unavailable.Store(false)
	f.Says(f.Get("/v1/users/bob", ""), http.StatusNotFound, "")
	f.Shows(today+"?limit=1", "", `[{"rank":1,"score":2,"user":{"id":"ann","name":"Ann"}}]`)
}

// Others that are first too often are no fault of the caller's, nor ours.
func TestTooManyAtOnceIsSaid(t *testing.T) {
	t.Parallel()
	f := openFull(t)
	f.KeepIn(contended{f.Table})
	a := f.Serve().Delete("/v1/users/ann", f.Service())
	if a.Problem(t); a.Status != http.StatusServiceUnavailable {
		t.Errorf("%d: %s", a.Status, a.Body)
	}
}

// contended is a store in which another is always first.
type contended struct{ archive.Store }

// Replace finds what another wrote.
func (contended) Replace(context.Context, archive.Item, []byte) error { return archive.ErrExists }
