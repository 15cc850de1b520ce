package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/redistest"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// The words of every answer, as section 8 of the design has them.
func TestShapes(t *testing.T) {
	t.Parallel()
	berlin, err := board.LoadCalendar("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, ledger.New(activity.Default(), berlin), noon)
	if got, want := f.post(f.service(), list(likes)).body, `{"receipts":[{"status":"counted","points":2,"board":"activity","day":"2026-11-20","scores":{"day":2,"month":2}}]}`; strings.TrimSpace(got) != want {
		t.Errorf("receipts: %s\nwant %s", got, want)
	}
	if got, want := f.post(f.service(), list(at("2026-11-01T00:00:00Z"))).body, `{"receipts":[{"status":"too_late","points":0,"board":"activity","day":"2026-11-01"}]}`; strings.TrimSpace(got) != want {
		t.Errorf("receipts: %s\nwant %s", got, want)
	}
	head := `"timezone":"Europe/Berlin","startsAt":"2026-11-20T00:00:00+01:00","endsAt":"2026-11-21T00:00:00+01:00","asOf":"2026-11-20T13:00:00.000+01:00","final":false,`
	for path, want := range map[string]string{
		"/v1/boards/activity/day?user=ann": `{"board":"activity","window":"day","period":"2026-11-20",` + head +
			`"total":1,"entries":[{"rank":1,"score":2,"user":{"id":"ann"}}],"standing":{"user":"ann","rank":1,"score":2,"total":1,"percentile":100,"toNext":null,"previousRank":null}}`,
		"/v1/boards/activity/day/users/bob": `{"board":"activity","window":"day","period":"2026-11-20",` + head +
			`"total":1,"entries":[],"standing":{"user":"bob","rank":null,"score":0,"total":1,"percentile":null,"toNext":2,"previousRank":null}}`,
		"/v1/boards/steps/day": `{"board":"steps","window":"day","period":"2026-11-20",` + head + `"total":0,"entries":[]}`,
		"/v1/boards/activity/day/periods": `{"board":"activity","window":"day","periods":[` +
			`{"period":"2026-11-20","startsAt":"2026-11-20T00:00:00+01:00","endsAt":"2026-11-21T00:00:00+01:00","final":false,"total":1}]}`,
		"/v1/boards/steps/month/periods": `{"board":"steps","window":"month","periods":[]}`,
		"/v1/users/ann/standings": `{"user":"ann","standings":[` +
			`{"board":"activity","window":"day","period":"2026-11-20","rank":1,"score":2,"total":1,"percentile":100,"toNext":null,"previousRank":null},` +
			`{"board":"activity","window":"month","period":"2026-11","rank":1,"score":2,"total":1,"percentile":100,"toNext":null,"previousRank":null},` +
			`{"board":"steps","window":"day","period":"2026-11-20","rank":null,"score":0,"total":0,"percentile":null,"toNext":null,"previousRank":null},` +
			`{"board":"steps","window":"month","period":"2026-11","rank":null,"score":0,"total":0,"percentile":null,"toNext":null,"previousRank":null}]}`,
		"/v1/users/ann/activity?days=2": `{"user":"ann","timezone":"Europe/Berlin","days":[` +
			`{"day":"2026-11-20","scores":{"activity":2,"steps":0},"actions":{"like":{"count":1,"points":2}}},` +
			`{"day":"2026-11-19","scores":{"activity":0,"steps":0},"actions":{}}],"totals":{"like":{"count":1,"points":2}}}`,
		"/v1/health": `{"status":"ok","stores":{"redis":"ok"}}`,
	} {
		a := f.get(path, f.service())
		if strings.TrimSpace(a.body) != want || a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s\nwant %s", path, a.status, a.body, want)
		}
	}
	if got := f.get("/v1/rules", "").body; !strings.Contains(got, `"bookmark":{"undo":"unbookmark"`) {
		t.Errorf("the rules are %s", got)
	}
}

// Every window of a board that keeps them all: periods and their ends.
func TestWindows(t *testing.T) {
	t.Parallel()
	rules, err := activity.ParseRules([]byte(`{"boards":{"b":{"windows":["day","week","month","year","all"]}},
		"versions":[{"actions":{"visit":{"board":"b","points":1,"entry":"day","by":["user"]}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, ledger.New(rules, board.NewCalendar(time.UTC)), noon)
	if a := f.post(f.user("ann"), list(`{"action":"visit","target":"p"}`)); a.status != http.StatusOK || !strings.Contains(a.body, `"scores":{"all":1,"day":1,"month":1,"week":1,"year":1}`) {
		t.Error(a.body)
	}
	for window, want := range map[string][3]string{
		"day":   {"2026-11-20", "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"},
		"week":  {"2026-W47", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"},
		"month": {"2026-11", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"},
		"year":  {"2026", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		"all":   {"all", "2000-01-01T00:00:00Z", ""},
	} {
		for _, path := range []string{"/v1/boards/b/" + window, "/v1/boards/b/" + window + "?period=" + want[0]} {
			b := read[httpapi.Board](t, f.get(path, ""))
			var end string
			if b.EndsAt != nil {
				end = *b.EndsAt
			}
			if got := [3]string{b.Period, b.StartsAt, end}; got != want || b.Total != 1 {
				t.Errorf("%s: %v with %d, want %v with 1", path, got, b.Total, want)
			}
		}
	}
	// The service may not report what the rules leave to users.
	if a := f.post(f.service(), list(`{"action":"visit","target":"p","user":"ann"}`)); a.status != http.StatusForbidden {
		t.Error(a.status, a.body)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	f := open(t)
	var all []string
	for _, user := range "abcdefghij" {
		all = append(all, `{"action":"like","target":"a1","user":"`+string(user)+`"}`)
	}
	read[httpapi.Receipts](t, f.post(f.service(), list(all...)))
	for query, want := range map[string]string{
		"":                               "abcdefghij",
		"?limit=3":                       "abc",
		"?limit=3&offset=8":              "ij",
		"?offset=10":                     "",
		"?offset=2147483648&limit=100":   "",
		"?period=2026-11-19":             "",
		"/users/e?around=0":              "e",
		"/users/a":                       "abc",
		"/users/e?around=25":             "abcdefghij",
		"/users/nobody":                  "",
		"/users/e?around=1&period=":      "-",
		"?limit=2&offset=2&user=nobody":  "cd",
		"/users/e?period=2026-11-20":     "cdefg",
		"/users/e?period=2026-11-21":     "",
		"/users/%65?around=1":            "def",
		"?limit=100&offset=9&user=%2Fa%": "-",
	} {
		a := f.get("/v1/boards/activity/day"+query, "")
		if want == "-" {
			if a.problem(t); a.status != http.StatusUnprocessableEntity {
				t.Errorf("%s: %d %s", query, a.status, a.body)
			}
			continue
		}
		var got strings.Builder
		b := read[httpapi.Board](t, a)
		for _, e := range b.Entries {
			got.WriteString(e.User.ID)
		}
		if got.String() != want || b.Entries == nil {
			t.Errorf("%s: %q, want %q", query, got.String(), want)
		}
	}
}

// Ids of every kind come back as they went in, in bodies and in paths.
func TestIDs(t *testing.T) {
	t.Parallel()
	f := open(t)
	for id, path := range map[string]string{
		"a/b": "a%2Fb", "a b": "a%20b", "ü": "%C3%BC", "日本": "日本", "a+b": "a+b", "50%": "50%25", "?": "%3F", "#": "%23",
		"-1": "-1", "9007199254740993": "9007199254740993", "...": "...", "<&>": "%3C&%3E", "a%2Fb": "a%252Fb", "\u2028": "%E2%80%A8", "users": "users",
	} {
		quoted := `"` + id + `"`
		receipts := read[httpapi.Receipts](t, f.post(f.service(), list(`{"action":"visit","target":`+quoted+`,"user":`+quoted+`}`))).Receipts
		if receipts[0].Status != "counted" {
			t.Errorf("%q: %+v", id, receipts[0])
		}
		b := read[httpapi.Board](t, f.get("/v1/boards/activity/day/users/"+path+"?around=0", ""))
		if b.Standing.User != id || b.Standing.Score != 1 || len(b.Entries) != 1 || b.Entries[0].User.ID != id {
			t.Errorf("%q: %+v", id, b)
		}
		s := read[httpapi.Standings](t, f.get("/v1/users/"+path+"/standings", f.user(id)))
		if s.User != id || *s.Standings[0].Rank < 1 {
			t.Errorf("%q: %+v", id, s)
		}
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	f := open(t)
	read[httpapi.Receipts](t, f.post(f.service(), list(likes)))
	for path, want := range map[string]string{
		"/v1/boards/activity/day":           "public, max-age=0, s-maxage=2",
		"/v1/boards/activity/day/users/ann": "public, max-age=0, s-maxage=2",
		"/v1/boards/activity/day/periods":   "public, max-age=0, s-maxage=2",
		"/v1/rules":                         "public, max-age=60",
		"/openapi.json":                     "public, max-age=60",
	} {
		a := f.get(path, "")
		etag := a.header.Get("ETag")
		if a.status != http.StatusOK || a.header.Get("Cache-Control") != want || !strings.HasPrefix(etag, `W/"`) {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
		if again := f.get(path, f.service()); again.header.Get("ETag") != etag || again.body != a.body {
			t.Errorf("%s: a token changes the answer", path)
		}
		strong := strings.TrimPrefix(etag, "W/")
		for _, headers := range [][]string{{etag}, {strong}, {"*"}, {`"x", ` + etag}, {`"x"`, etag}, {"  " + etag + "  ,"}} {
			var list []string
			for _, h := range headers {
				list = append(list, "If-None-Match", h)
			}
			b := f.get(path, "", list...)
			if b.status != http.StatusNotModified || b.body != "" || b.header.Get("ETag") != etag || b.header.Get("Cache-Control") != want || b.header.Get("Content-Type") != "" {
				t.Errorf("%s with %q: %d %v %q", path, headers, b.status, b.header, b.body)
			}
		}
		if b := f.get(path, "", "If-None-Match", `"x", W/"y", `+strings.Trim(strong, `"`)); b.status != http.StatusOK {
			t.Errorf("%s: another tag gives %d", path, b.status)
		}
		head := f.do(http.MethodHead, path, "", "")
		if head.status != http.StatusOK || head.body != "" || head.header.Get("ETag") != etag || head.header.Get("Content-Type") == "" {
			t.Errorf("HEAD %s: %d %v %q", path, head.status, head.header, head.body)
		}
	}
	// Later, with nothing new, the tag is the same; with something new it is not.
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	store := live.New(f.client, l, 1)
	later := openOn(t, store, l, noon.Add(time.Hour))
	was := f.get("/v1/boards/activity/day", "")
	now := later.get("/v1/boards/activity/day", "", "If-None-Match", was.header.Get("ETag"))
	if now.status != http.StatusNotModified {
		t.Errorf("an hour later: %d", now.status)
	}
	read[httpapi.Receipts](t, f.post(f.user("bob"), list(like)))
	if a := f.get("/v1/boards/activity/day", "", "If-None-Match", was.header.Get("ETag")); a.status != http.StatusOK {
		t.Errorf("after a change: %d", a.status)
	}
}

func TestMethodsAndHeaders(t *testing.T) {
	t.Parallel()
	f := open(t)
	for _, c := range []struct{ method, path, allow string }{
		{http.MethodDelete, "/v1/boards/activity/day", "GET, HEAD"},
		{http.MethodPost, "/v1/rules", "GET, HEAD"},
		{http.MethodOptions, "/v1/health", "GET, HEAD"},
		{http.MethodPut, "/v1/activities", "POST"},
		{http.MethodHead, "/v1/activities", "POST"},
		{http.MethodPatch, "/openapi.json", "GET, HEAD"},
	} {
		a := f.do(c.method, c.path, f.service(), "")
		if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != c.allow || a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: %d %v", c.method, c.path, a.status, a.header)
		}
	}
	for _, path := range []string{"/v1/health", "/v1/nothing", "/v1/boards/activity/day?x=1"} {
		a := f.get(path, "")
		if a.header.Get("X-Content-Type-Options") != "nosniff" || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, a.header)
		}
	}
	// Errors are JSON whatever the client would like better.
	for _, accept := range []string{"text/html", "application/problem+json", "image/*;q=0.1", "application/cbor", ";;;"} {
		f.get("/v1/boards/karma/day", "", "Accept", accept).problem(t)
		f.get("/v1/boards/activity/day?limit=x", "", "Accept", accept).problem(t)
		if a := f.get("/v1/boards/activity/day", "", "Accept", accept); a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" {
			t.Errorf("Accept %q: %d %v", accept, a.status, a.header)
		}
	}
}

// Each function serves its part, and both say how they are.
func TestParts(t *testing.T) {
	t.Parallel()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	store := live.New(redistest.Client(t), l, 1)
	record := openOn(t, store, l, noon, httpapi.Record)
	query := openOn(t, store, l, noon, httpapi.Query)
	for _, c := range []struct {
		f      *forum
		method string
		path   string
		status int
	}{
		{record, http.MethodPost, "/v1/activities", http.StatusOK},
		{record, http.MethodGet, "/v1/health", http.StatusOK},
		{record, http.MethodGet, "/v1/rules", http.StatusNotFound},
		{record, http.MethodGet, "/openapi.json", http.StatusNotFound},
		{query, http.MethodPost, "/v1/activities", http.StatusNotFound},
		{query, http.MethodGet, "/v1/health", http.StatusOK},
		{query, http.MethodGet, "/v1/rules", http.StatusOK},
		{query, http.MethodGet, "/openapi.json", http.StatusOK},
	} {
		body := ""
		if c.method == http.MethodPost {
			body = list(like)
		}
		if a := c.f.do(c.method, c.path, c.f.user("ann"), body); a.status != c.status {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, a.status, c.status)
		}
	}
}

// With Redis away everything that needs it says so, and when to try again.
func TestRedisAway(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	client, err := live.Dial(server.URL(), false)
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
	results []live.Result
	err     error
}

func (o odd) Record(context.Context, []activity.Activity, ledger.Arrival) []live.Result {
	return o.results
}

func (o odd) Read(context.Context, board.View) (board.Page, error) {
	if o.err == nil {
		panic("the secret of the store")
	}
	return board.Page{}, o.err
}

func TestErrorsTellOnlyTheirKind(t *testing.T) {
	t.Parallel()
	l := ledger.New(activity.Default(), board.NewCalendar(time.UTC))
	counted := live.Result{Receipt: ledger.Receipt{Status: ledger.Counted}}
	wrap := func(err error) error { return errors.Join(errors.New("the secret of the store"), err) }
	for name, c := range map[string]struct {
		store  odd
		status int
	}{
		"a panic":                {odd{results: []live.Result{{Err: wrap(nil)}}}, http.StatusInternalServerError},
		"an unknown error":       {odd{err: wrap(nil), results: []live.Result{counted, {Err: wrap(nil)}}}, http.StatusInternalServerError},
		"an unreadable value":    {odd{err: wrap(live.ErrStored), results: []live.Result{{Err: live.ErrUnavailable}, {Err: wrap(live.ErrStored)}}}, http.StatusInternalServerError},
		"too many writers":       {odd{err: wrap(live.ErrBusy), results: []live.Result{counted, {Err: wrap(live.ErrBusy)}}}, http.StatusServiceUnavailable},
		"a store that is away":   {odd{err: wrap(live.ErrUnavailable), results: []live.Result{counted, {Err: wrap(live.ErrUnavailable)}}}, http.StatusServiceUnavailable},
		"a client that has gone": {odd{err: wrap(errors.Join(live.ErrUnavailable, context.Canceled)), results: []live.Result{{Err: wrap(live.ErrUnavailable)}}}, http.StatusServiceUnavailable},
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

// An answer names many faults, but not more than fit into it.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	f := open(t)
	fields := make([]string, 0, 20_000)
	for i := range 20_000 {
		fields = append(fields, `"x`+string(rune('a'+i%26))+strings.Repeat("0", i/26%4)+string(rune(0x4e00+i))+`":1`)
	}
	a := f.post(f.user("ann"), `{"activities":[{`+strings.Join(fields, ",")+`}]}`)
	p := a.problem(t)
	if a.status != http.StatusUnprocessableEntity || len(p.Errors) != 1000 || p.Detail != "validation failed; only the first 1000 of 20001 faults are named" {
		t.Errorf("%d, %d faults: %s", a.status, len(p.Errors), p.Detail)
	}
	long := strings.Repeat("é", 50_000)
	a = f.post(f.user("ann"), list(`{"action":"`+long+`","`+long+`":"`+long[:1000]+`"}`))
	if places := a.problem(t).places(); len(a.body) > 4000 || len(places) != 2 || !slices.Contains(places, "body.activities[0].action") {
		t.Errorf("%d bytes, %d faults", len(a.body), len(places))
	}
	name := `"` + strings.Repeat("n", 100_000) + `":1`
	if a = f.post(f.user("ann"), "{"+name+","+name+"}"); a.status != http.StatusBadRequest || len(a.body) > 1000 {
		t.Errorf("a long name twice: %d, %d bytes", a.status, len(a.body))
	}
}

func TestRulesVersions(t *testing.T) {
	t.Parallel()
	rules, err := activity.ParseRules([]byte(`{"boards":{"b":{"windows":["day"]}},"versions":[
		{"actions":{"visit":{"board":"b","points":1,"entry":"day","by":["service"]}}},
		{"from":"2026-11-20","actions":{"look":{"board":"b","points":1,"entry":"day","by":["service"]}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := openWith(t, ledger.New(rules, board.NewCalendar(time.UTC)), noon)
	body := list(
		`{"action":"visit","target":"p","user":"u","at":"2026-11-19T23:59:59Z"}`, `{"action":"visit","target":"p","user":"u","at":"2026-11-20T00:00:00Z"}`,
		`{"action":"look","target":"p","user":"u","at":"2026-11-19T23:59:59Z"}`, `{"action":"look","target":"p","user":"u"}`,
	)
	got := f.post(f.service(), body).problem(t).places()
	if diff := cmp.Diff([]string{"body.activities[1].action", "body.activities[2].action"}, got); diff != "" {
		t.Error(diff)
	}
}
