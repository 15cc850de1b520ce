package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/auth"
	"laurel/shared/httpapi"
)

func load(t *testing.T, name string) events.APIGatewayV2HTTPRequest {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/events", name))
	if err != nil {
		t.Fatal(err)
	}
	var event events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(text, &event); err != nil {
		t.Fatal(err)
	}
	return event
}

// seen is what a handler is told of a request.
type seen struct {
	Method, Path, Escaped, Query, Body, Host, RemoteAddr string
	Header                                               http.Header
	Caller                                               auth.Caller
	Known                                                bool // who calls
}

// show answers an event by showing what its handler sees.
func show(t *testing.T, event events.APIGatewayV2HTTPRequest) seen {
	t.Helper()
	var s seen
	handle := httpapi.Lambda(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s = seen{
			Method: r.Method, Path: r.URL.Path, Escaped: r.URL.EscapedPath(), Query: r.URL.RawQuery, Body: string(body),
			Host: r.Host, RemoteAddr: r.RemoteAddr, Header: r.Header,
		}
		s.Caller, s.Known = auth.CallerFrom(r.Context())
	}))
	if _, err := handle(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRequests(t *testing.T) {
	t.Parallel()
	const gatewayHost = "abc123.execute-api.eu-central-1.amazonaws.com"
	for name, want := range map[string]seen{
		"report.json": {
			Method: "POST", Path: "/v1/activities", Escaped: "/v1/activities",
			Body: `{"activities":[{"action":"like","target":"a1"}]}`,
			Host: gatewayHost, RemoteAddr: "203.0.113.7",
			Header: http.Header{
				"Authorization": {"Bearer checked.by.gateway"}, "Content-Length": {"60"}, "Content-Type": {"application/json"},
				"User-Agent": {"curl/8.5.0"}, "X-Forwarded-For": {"203.0.113.7"},
			},
			Caller: auth.Caller{User: "ann"}, Known: true,
		},
		"report_base64_service.json": {
			Method: "POST", Path: "/v1/activities", Escaped: "/v1/activities",
			Body: `{"activities":[{"action":"like","target":"ü","user":"bob"}]}`,
			Host: "forum.example.com", RemoteAddr: "203.0.113.8",
			Header: http.Header{"Content-Type": {"application/json; charset=utf-8"}},
			Caller: auth.Caller{Service: true}, Known: true,
		},
		"board.json": {
			Method: "GET", Path: "/v1/boards/activity/day/users/é 50%", Escaped: "/v1/boards/activity/day/users/%C3%A9%2050%25",
			Query: "period=2026-11-20&around=1", Host: gatewayHost, RemoteAddr: "203.0.113.7",
			Header: http.Header{
				"Accept": {"*/*"}, "Authorization": {"Bearer nobody.checked.this"}, "Cookie": {"theme=dark; lang=de"},
				"If-None-Match": {`"one",W/"two"`}, "X-Forwarded-For": {"203.0.113.7"},
			},
		},
	} {
		if diff := cmp.Diff(want, show(t, load(t, name))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Only what the authorizer has checked says who calls.
func TestCallers(t *testing.T) {
	t.Parallel()
	type authorizer = events.APIGatewayV2HTTPRequestContextAuthorizerDescription
	of := func(text any) *authorizer { return &authorizer{Lambda: map[string]any{auth.ContextKey: text}} }
	for name, c := range map[string]struct {
		authorizer *authorizer
		want       auth.Caller
		known      bool
	}{
		"a route without authorizer": {nil, auth.Caller{}, false},
		"another authorizer":         {&authorizer{Lambda: map[string]any{"sub": "ann"}}, auth.Caller{}, false},
		"a JWT authorizer": {
			&authorizer{JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{
				Claims: map[string]string{"sub": "ann", "scope": auth.ServiceScope},
			}}, auth.Caller{}, false,
		},
		"a user":      {of("user.YW5u"), auth.Caller{User: "ann"}, true},
		"the service": {of("service"), auth.Caller{Service: true}, true},
		"nobody":      {of(""), auth.Caller{}, false},
		"a word":      {of("ann"), auth.Caller{}, false},
		"a number":    {of(7), auth.Caller{}, false},
	} {
		event := load(t, "report.json")
		event.RequestContext.Authorizer = c.authorizer
		if got := show(t, event); got.Caller != c.want || got.Known != c.known {
			t.Errorf("%s: %+v %t", name, got.Caller, got.Known)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stage, raw, want string }{
		{"$default", "/v1/rules", "/v1/rules"},
		{"live", "/live/v1/rules", "/v1/rules"},
		{"live", "/v1/rules", "/v1/rules"},
		{"live", "/livelong", "/livelong"},
		{"$default", "", "/"},
		{"$default", "/v1/users/a?b#c/standings", "/v1/users/a?b#c/standings"},
		{"$default", "/v1/users/%2F/standings", "/v1/users/%2F/standings"}, // decoded once: the id is %2F
		{"$default", "/v1/users/\x00\n/standings", "/v1/users/\x00\n/standings"},
	} {
		event := load(t, "board.json")
		event.RawPath, event.RequestContext.Stage = c.raw, c.stage
		if got := show(t, event); got.Path != c.want || got.Query != "period=2026-11-20&around=1" {
			t.Errorf("%q on %s: path %q, query %q", c.raw, c.stage, got.Path, got.Query)
		}
	}
}

func TestResponses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method  string
		handler http.HandlerFunc
		want    events.APIGatewayV2HTTPResponse
	}{
		"nothing": {"GET", func(http.ResponseWriter, *http.Request) {}, events.APIGatewayV2HTTPResponse{StatusCode: 200}},
		"text without a status": {
			"GET", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("é")) },
			events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: "é"},
		},
		"bytes": {
			"GET", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0xff, 0}) },
			events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: "/wA=", IsBase64Encoded: true},
		},
		"headers and cookies": {
			"GET", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Add("Vary", "Accept")
				w.Header().Add("Vary", "Origin")
				w.Header().Add("Set-Cookie", "a=1, 2")
				w.Header().Add("Set-Cookie", "b=3")
				w.WriteHeader(http.StatusTeapot)
				w.WriteHeader(http.StatusOK)
			},
			events.APIGatewayV2HTTPResponse{
				StatusCode: 418, Headers: map[string]string{"Vary": "Accept, Origin"},
				Cookies: []string{"a=1, 2", "b=3"},
			},
		},
		"HEAD": {
			"HEAD", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("ETag", `"x"`)
				_, _ = w.Write([]byte("not sent"))
			},
			events.APIGatewayV2HTTPResponse{StatusCode: 200, Headers: map[string]string{"Etag": `"x"`}},
		},
	} {
		event := load(t, "board.json")
		event.RequestContext.HTTP.Method = c.method
		got, err := httpapi.Lambda(c.handler)(t.Context(), event)
		if err != nil {
			t.Fatal(err)
		}
		if c.want.Headers == nil {
			c.want.Headers = map[string]string{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// An event that is no request is answered, and never reaches the handler.
func TestEventsThatAreNoRequests(t *testing.T) {
	t.Parallel()
	badBody, badMethod := load(t, "report_base64_service.json"), load(t, "board.json")
	badBody.Body, badMethod.RequestContext.HTTP.Method = "%%%", "GET IT"
	for _, event := range []events.APIGatewayV2HTTPRequest{badBody, badMethod} {
		handle := httpapi.Lambda(
			http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the handler was called") }))
		got, err := handle(t.Context(), event)
		if err != nil || got.StatusCode != http.StatusBadRequest ||
			got.Headers["Content-Type"] != "application/problem+json" || !json.Valid([]byte(got.Body)) {
			t.Errorf("%+v %v", got, err)
		}
	}
}

// The sample events through the real handler: what a user reports is on the
// board that anybody reads.
func TestEndToEnd(t *testing.T) {
	t.Parallel()
	handle := httpapi.Lambda(harness.NewForum(t, harness.Setup{}).API(httpapi.Record, httpapi.Query))
	for _, step := range []struct {
		event, path string
		status      int
		part        string
	}{
		{"report.json", "", 200, `{"receipts":[{"status":"counted","points":2,"board":"activity","day":"2026-11-20",` +
			`"scores":{"day":2,"month":2}}]}`},
		{"report.json", "", 200, `"status":"duplicate"`},
		{"report_base64_service.json", "", 200, `"status":"counted"`},
		{"board.json", "", 200, `"entries":[],"next":null,"standing":{"user":{"id":"é 50%"},"rank":null,` +
			`"score":0,"reachedAt":null,"total":2,"percentile":null,"toNext":1,"previousRank":null}`},
		{
			"board.json", "/v1/boards/activity/day/users/bob", 200,
			`"rank":1,"score":2,"reachedAt":"2026-11-20T12:00:00.000Z","user":{"id":"ann"}},{"rank":2,`,
		},
		{"board.json", "/v1/users/ann/standings", 401, `"status":401`},
	} {
		event := load(t, step.event)
		if step.path != "" {
			event.RawPath = step.path
		}
		got, err := handle(t.Context(), event)
		if err != nil || got.StatusCode != step.status || !strings.Contains(got.Body, step.part) {
			t.Errorf("%s %s: %d %s %v", step.event, step.path, got.StatusCode, got.Body, err)
		}
	}
}

func FuzzEvent(f *testing.F) {
	f.Add("GET", "/v1/boards/activity/day", "limit=1", "", false)
	f.Add("POST", "/v1/activities", "", "e30=", true)
	f.Add("", "/v1/rules", "", "", false)
	f.Add(" ", "\x00%", "%;=&", "\xff", true)
	f.Fuzz(func(t *testing.T, method, path, query, body string, encoded bool) {
		event := events.APIGatewayV2HTTPRequest{RawPath: path, RawQueryString: query, Body: body, IsBase64Encoded: encoded}
		event.RequestContext.HTTP.Method = method
		handle := httpapi.Lambda(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if _, err := io.Copy(w, r.Body); err != nil || r.URL.EscapedPath()[0] != '/' {
				t.Errorf("%q %v", r.URL.EscapedPath(), err)
			}
		}))
		got, err := handle(t.Context(), event)
		if method == "" {
			if !errors.Is(err, httpapi.ErrEvent) {
				t.Errorf("%+v %v", got, err)
			}
			return
		}
		if err != nil || (got.StatusCode != http.StatusOK && got.StatusCode != http.StatusBadRequest) {
			t.Errorf("%+v %v", got, err)
		}
	})
}

// A handler that waits for a store is told to give up while there is time for its
// answer.
func TestHandlersEndBeforeTheFunction(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(time.Hour)
	ctx, cancel := context.WithDeadline(t.Context(), end)
	defer cancel()
	handle := httpapi.Lambda(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if at, ok := r.Context().Deadline(); !ok || end.Sub(at) < httpapi.Reserve {
			t.Errorf("the handler has until %s, the function until %s", at, end)
		}
		if c, ok := auth.CallerFrom(r.Context()); !ok || c.User != "ann" {
			t.Errorf("the caller is %+v", c)
		}
	}))
	if _, err := handle(ctx, load(t, "report.json")); err != nil {
		t.Error(err)
	}
}

// What is no request is an error, which a log shows and an alarm counts; an answer
// would be lost.
func TestEventsOfOthersAreErrors(t *testing.T) {
	t.Parallel()
	handle := httpapi.Lambda(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was served") }))
	for _, text := range []string{
		`{}`, `null`, `{"Records":[{"eventSource":"aws:sqs"}]}`,
		`{"version":"1.0","httpMethod":"GET","path":"/v1/rules","requestContext":{"httpMethod":"GET"}}`,
		`{"time":"2026-11-24T01:00:00Z"}`,
	} {
		var event events.APIGatewayV2HTTPRequest
		if err := json.Unmarshal([]byte(text), &event); err != nil {
			t.Fatal(err)
		}
		if answer, err := handle(t.Context(), event); !errors.Is(err, httpapi.ErrEvent) {
			t.Errorf("%s: %+v, %v", text, answer, err)
		}
	}
}
