package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/httpapi"
	"laurel/shared/metrics"
	"laurel/shared/view"
)

func TestMethodsAndHeaders(t *testing.T) {
	t.Parallel()
	f := open(t)
	for _, c := range []struct{ method, path, allow string }{
		{http.MethodDelete, "/v1/boards/activity/day", "GET, HEAD"},
		{http.MethodPost, "/v1/rules", "GET, HEAD"},
		{http.MethodPut, "/v1/activities", "POST"},
		{http.MethodHead, "/v1/activities", "POST"},
		{http.MethodPatch, "/openapi.json", "GET, HEAD"},
	} {
		a := f.Do(c.method, c.path, f.Service(), "")
		if a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") != c.allow ||
			a.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: %d %v", c.method, c.path, a.Status, a.Header)
		}
	}
	for path, allow := range map[string]string{
		"/v1/health": "GET, HEAD, OPTIONS", "/v1/users/ann": "DELETE, GET, HEAD, PUT, OPTIONS",
	} {
		if a := f.Do(http.MethodOptions, path, "", ""); a.Status != http.StatusNoContent || a.Header.Get("Allow") != allow {
			t.Errorf("OPTIONS %s: %d %v", path, a.Status, a.Header)
		}
	}
	if a := f.Do(http.MethodOptions, "/v1/nothing", "", ""); a.Status != http.StatusNotFound {
		t.Errorf("OPTIONS of nothing: %d", a.Status)
	}
	for _, request := range []string{"GET /v1/rules", "GET /v1/users/ann/standings", "DELETE /v1/users/ann/exclusion"} {
		method, path, _ := strings.Cut(request, " ")
		p := f.Do(method, path, f.Service(), "{}").Problem(t)
		if diff := cmp.Diff([]string{"body"}, p.Locations()); p.Status != http.StatusUnprocessableEntity || diff != "" {
			t.Errorf("%s with a body: %+v", request, p)
		}
	}
	for _, path := range []string{"/v1/health", "/v1/nothing", "/v1/boards/activity/day?x=1"} {
		a := f.Get(path, "")
		if a.Header.Get("X-Content-Type-Options") != "nosniff" || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	// Errors are JSON whatever the client would like better.
	for _, accept := range []string{"text/html", "application/problem+json", "image/*;q=0.1", "application/cbor", ";;;"} {
		f.Get("/v1/boards/karma/day", "", "Accept", accept).Problem(t)
		f.Get("/v1/boards/activity/day?limit=x", "", "Accept", accept).Problem(t)
		if a := f.Get("/v1/boards/activity/day", "", "Accept", accept); a.Status != http.StatusOK ||
			a.Header.Get("Content-Type") != "application/json" {
			t.Errorf("Accept %q: %d %v", accept, a.Status, a.Header)
		}
	}
}

// Each function serves its part, and both say how they are.
func TestParts(t *testing.T) {
	t.Parallel()
	f := open(t)
	for _, c := range []struct {
		part   httpapi.Part
		method string
		path   string
		status int
	}{
		{httpapi.Record, http.MethodPost, "/v1/activities", http.StatusOK},
		{httpapi.Record, http.MethodGet, "/v1/health", http.StatusOK},
		{httpapi.Record, http.MethodGet, "/v1/rules", http.StatusNotFound},
		{httpapi.Record, http.MethodGet, "/openapi.json", http.StatusNotFound},
		{httpapi.Query, http.MethodPost, "/v1/activities", http.StatusNotFound},
		{httpapi.Query, http.MethodGet, "/v1/health", http.StatusOK},
		{httpapi.Query, http.MethodGet, "/v1/rules", http.StatusOK},
		{httpapi.Query, http.MethodGet, "/openapi.json", http.StatusOK},
	} {
		f.ServeBy(httpapi.New(f.Requests(), c.part))
		body := ""
		if c.method == http.MethodPost {
			body = list(like)
		}
		if a := f.Do(c.method, c.path, f.User("ann"), body); a.Status != c.status {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, a.Status, c.status)
		}
	}
}

// A client that keeps what is private itself learns that it has not changed; caches keep
// nothing of it.
func TestPrivateAnswersHaveTags(t *testing.T) {
	t.Parallel()
	f := open(t)
	f.Did("ann like a1", "ann follow bob")
	for _, path := range []string{
		"/v1/users/ann/standings", "/v1/users/ann/activity", "/v1/users/ann/following", "/v1/users/ann/visibility",
		"/v1/users/ann/export", "/v1/users/ann/votes?article=1", "/v1/users/ann/exclusion", friends,
	} {
		was := f.Get(path, f.Service())
		etag := was.Header.Get("ETag")
		if was.Status != http.StatusOK || strings.HasPrefix(etag, `W/"`) != strings.Contains(was.Body, `"asOf":"`) {
			t.Errorf("%s: %d %v", path, was.Status, was.Header)
		}
		f.Now = f.Now.Add(time.Second)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			now := f.Do(method, path, f.Service(), "", "If-None-Match", etag)
			if now.Status != http.StatusNotModified || now.Body != "" || now.Header.Get("ETag") != etag ||
				now.Header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%s %s again: %d %v %s", method, path, now.Status, now.Header, now.Body)
			}
		}
		if a := f.Get(path, f.User("bob"), "If-None-Match", "*"); a.Status != http.StatusForbidden {
			t.Errorf("%s of another: %d", path, a.Status)
		}
		if a := f.Get(path, f.Service(), "If-None-Match", `"x"`); a.Status != http.StatusOK {
			t.Errorf("%s with another tag: %d", path, a.Status)
		}
	}
	tag := f.Get("/v1/users/ann/standings", f.Service()).Header.Get("ETag")
	f.Did("ann like a2")
	if a := f.Get("/v1/users/ann/standings", f.Service(), "If-None-Match", tag); a.Status != http.StatusOK {
		t.Errorf("with something new: %d", a.Status)
	}
	if a := f.Get("/v1/health", "", "If-None-Match", "*"); a.Status != http.StatusOK || a.Header.Get("ETag") != "" {
		t.Errorf("health: %d %v", a.Status, a.Header)
	}
	if a := f.Post(f.Service(), list(likes)); a.Header.Get("ETag") != "" {
		t.Errorf("receipts: %v", a.Header)
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	f := open(t)
	read[httpapi.Receipts](t, f.Post(f.Service(), list(likes)))
	for path, want := range map[string]string{
		"/v1/boards/activity/day":           "public, max-age=0, s-maxage=2",
		"/v1/boards/activity/day/users/ann": "public, max-age=0, s-maxage=2",
		"/v1/boards/activity/day/periods":   "public, max-age=0, s-maxage=2",
		"/v1/boards":                        "public, max-age=60",
		"/v1/rules":                         "public, max-age=60",
		"/openapi.json":                     "public, max-age=60",
	} {
		a := f.Get(path, "")
		etag := a.Header.Get("ETag")
		// Only the moment of reading may differ between answers of one tag.
		weak := strings.HasPrefix(etag, `W/"`) == strings.Contains(a.Body, `"asOf":"`)
		if a.Status != http.StatusOK || a.Header.Get("Cache-Control") != want || !weak {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
		if again := f.Get(path, f.Service()); again.Header.Get("ETag") != etag || again.Body != a.Body {
			t.Errorf("%s: a token changes the answer", path)
		}
		strong := strings.TrimPrefix(etag, "W/")
		for _, headers := range [][]string{{etag}, {strong}, {"*"}, {`"x", ` + etag}, {`"x"`, etag}, {"  " + etag + "  ,"}} {
			var list []string
			for _, h := range headers {
				list = append(list, "If-None-Match", h)
			}
			b := f.Get(path, "", list...)
			if b.Status != http.StatusNotModified || b.Body != "" || b.Header.Get("ETag") != etag ||
				b.Header.Get("Cache-Control") != want || b.Header.Get("Content-Type") != "" {
				t.Errorf("%s with %q: %d %v %q", path, headers, b.Status, b.Header, b.Body)
			}
		}
		if b := f.Get(path, "", "If-None-Match", `"x", W/"y", `+strings.Trim(strong, `"`)); b.Status != http.StatusOK {
			t.Errorf("%s: another tag gives %d", path, b.Status)
		}
		head := f.Do(http.MethodHead, path, "", "")
		if head.Status != http.StatusOK || head.Body != "" || head.Header.Get("ETag") != etag ||
			head.Header.Get("Content-Type") == "" {
			t.Errorf("HEAD %s: %d %v %q", path, head.Status, head.Header, head.Body)
		}
	}
	// Later, with nothing new, the tag is the same; with something new it is not.
	was := f.Get("/v1/boards/activity/day", "")
	f.Now = noon.Add(time.Hour)
	now := f.Get("/v1/boards/activity/day", "", "If-None-Match", was.Header.Get("ETag"))
	if now.Status != http.StatusNotModified {
		t.Errorf("an hour later: %d", now.Status)
	}
	read[httpapi.Receipts](t, f.Post(f.User("bob"), list(like)))
	if a := f.Get("/v1/boards/activity/day", "", "If-None-Match", was.Header.Get("ETag")); a.Status != http.StatusOK {
		t.Errorf("after a change: %d", a.Status)
	}
}

// Each request is a line: its operation, its round trips, what became of its
// activities; and nobody's id.
func TestRequestsAreMeasured(t *testing.T) {
	t.Parallel()
	client := testserver.Redis(t)
	view.CountTrips(client, func(ctx context.Context) { metrics.From(ctx).Trip() })
	var out bytes.Buffer
	f := openWith(t, harness.Setup{Redis: client})
	f.Serve(func(o *httpapi.Options) { o.Metrics = metrics.New(&out, "Laurel", o.Now) })
	f.Post(f.User("somebody"), list(like))
	f.Get("/v1/boards/activity/day?user=somebody", "")
	out.Reset() // the server has learnt the scripts

	f.Post(f.User("somebody"), list(like, `{"action":"like","target":"secret"}`, `{"action":"unlike","target":"a9"}`))
	f.Post(f.User("somebody"), `{`)
	f.Get("/v1/boards/activity/day?user=somebody", "")
	f.Get("/v1/users/somebody/standings", "")
	f.Get("/v1/boards/secret/day", "")
	f.Get("/nowhere/secret", "")
	f.Do(http.MethodPost, "/v1/queue/activities", f.Service(), list(likes))

	if text := out.String(); strings.Contains(text, "somebody") || strings.Contains(text, "secret") {
		t.Errorf("measured:\n%s", text)
	}
	var got []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatal(err)
		}
		delete(line, "_aws")
		got = append(got, line)
	}
	want := []map[string]any{
		{
			"Operation": "report-activities", "Latency": 0.0, "RoundTrips": 1.0, "Errors": 0.0, "ActivitiesDuplicate": 1.0,
			"ActivitiesCounted": 1.0, "ActivitiesNothingToRevoke": 1.0,
		},
		{"Operation": "report-activities", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 0.0},
		{"Operation": "read-board", "Latency": 0.0, "RoundTrips": 1.0, "Errors": 0.0},
		{"Operation": "read-standings", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 0.0},
		{"Operation": "read-board", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 0.0},
		{"Operation": "queue-activities", "Latency": 0.0, "RoundTrips": 0.0, "Errors": 1.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("measured (-want +got):\n%s", diff)
	}
}

// Each problem's type is the address of a page about it, for all and on every path of the
// API.
func TestTypesOfProblemsArePages(t *testing.T) {
	t.Parallel()
	f := open(t)
	kind := f.Get("/v1/boards/karma/day", "").Problem(t).Type
	for path, text := range map[string]string{kind: "Unknown board", "/problems/index": "Too large"} {
		a := f.Get(path, "")
		if a.Status != http.StatusOK || a.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
			!strings.Contains(a.Body, text) {
			t.Errorf("%s: %d %v %s", path, a.Status, a.Header, a.Body)
		}
	}
	f.Says(f.Get("/problems/nothing", ""), http.StatusNotFound, "")
	f.Says(f.Get("/problems/", ""), http.StatusNotFound, "")
}
