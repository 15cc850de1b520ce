package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/boards"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// With Redis away everything that needs it says so, and when to try again.
func TestRedisAway(t *testing.T) {
	t.Parallel()
	server := testserver.OwnRedis(t)
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	client, err := redisstore.Dial(server.URL(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	f := openOn(t, live.New(client, l, 1), l, noon)
	read[httpapi.Receipts](t, f.post(f.user("ann"), list(like)))
	server.Stop()
	for _, a := range []answer{
		f.post(f.user("ann"), list(like)),
		f.get("/v1/boards/activity/day", ""),
		f.get("/v1/boards/activity/day/users/ann", ""),
		f.get("/v1/boards/activity/day/periods", ""),
		f.get("/v1/users/ann/standings", f.service()),
		f.get("/v1/users/ann/activity", f.service()),
	} {
		if p := a.problem(t); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") != "1" || strings.Contains(p.Detail, "dial") {
			t.Errorf("status %d, %v: %s", a.status, a.header, a.body)
		}
		if strings.Contains(a.header.Get("Cache-Control"), "public") || a.header.Get("ETag") != "" {
			t.Errorf("an error may be kept: %v", a.header)
		}
	}
	if a := f.get("/v1/health", ""); a.status != http.StatusServiceUnavailable || strings.TrimSpace(a.body) != `{"status":"unavailable","stores":{"redis":"unavailable"}}` {
		t.Errorf("health: %d %s", a.status, a.body)
	}
	// What needs no store is as it was.
	for _, path := range []string{"/v1/rules", "/openapi.json"} {
		if a := f.get(path, ""); a.status != http.StatusOK {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	if !strings.Contains(f.log.String(), "unavailable") {
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
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	counted := pages.Result{Receipt: ledger.Receipt{Status: ledger.Counted}}
	wrap := func(err error) error { return errors.Join(errors.New("the secret of the store"), err) }
	for name, c := range map[string]struct {
		store  odd
		status int
	}{
		"a panic":                {odd{results: []pages.Result{{Err: wrap(nil)}}}, http.StatusInternalServerError},
		"an unknown error":       {odd{err: wrap(nil), results: []pages.Result{counted, {Err: wrap(nil)}}}, http.StatusInternalServerError},
		"an unreadable value":    {odd{err: wrap(redisstore.ErrStored), results: []pages.Result{{Err: redisstore.ErrUnavailable}, {Err: wrap(redisstore.ErrStored)}}}, http.StatusInternalServerError},
		"too many writers":       {odd{err: wrap(redisstore.ErrBusy), results: []pages.Result{counted, {Err: wrap(redisstore.ErrBusy)}}}, http.StatusServiceUnavailable},
		"a store that is away":   {odd{err: wrap(redisstore.ErrUnavailable), results: []pages.Result{counted, {Err: wrap(redisstore.ErrUnavailable)}}}, http.StatusServiceUnavailable},
		"a client that has gone": {odd{err: wrap(errors.Join(redisstore.ErrUnavailable, context.Canceled)), results: []pages.Result{{Err: wrap(redisstore.ErrUnavailable)}}}, http.StatusServiceUnavailable},
	} {
		f := openOn(t, c.store, l, noon)
		for _, a := range []answer{f.get("/v1/boards/activity/day", ""), f.post(f.user("ann"), list(like, like))} {
			if a.problem(t); a.status != c.status || strings.Contains(a.body, "secret") {
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
		}
		if n := strings.Count(f.log.String(), "the secret of the store"); n != 2 {
			t.Errorf("%s: the cause is logged %d times, not for each of 2 answers: %s", name, n, f.log)
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
	a := f.post(f.user("ann"), `{"activities":[{`+strings.Join(fields, ",")+`}]}`)
	p := a.problem(t)
	if a.status != http.StatusUnprocessableEntity || len(p.Errors) != 1000 || p.Detail != "validation failed; only the first 1000 of 20001 violations are listed" {
		t.Errorf("%d, %d violations: %s", a.status, len(p.Errors), p.Detail)
	}
	long := strings.Repeat("é", 50_000)
	a = f.post(f.user("ann"), list(`{"action":"`+long+`","`+long+`":"`+long[:1000]+`"}`))
	if places := a.problem(t).locations(); len(a.body) > 4000 || len(places) != 2 || !slices.Contains(places, "body.activities[0].action") {
		t.Errorf("%d bytes, %d violations", len(a.body), len(places))
	}
	name := `"` + strings.Repeat("n", 100_000) + `":1`
	if a = f.post(f.user("ann"), "{"+name+","+name+"}"); a.status != http.StatusBadRequest || len(a.body) > 1000 {
		t.Errorf("a long name twice: %d, %d bytes", a.status, len(a.body))
	}
}
