package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/devtoken"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// noon is when these tests take place, unless they say otherwise.
var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// secret signs the tokens of tests.
var secret = []byte("a secret for tests, of 32 bytes!")

// A forum is a server on a Redis of its own, with tokens that it takes.
type forum struct {
	tb     testing.TB
	server *httptest.Server
	client redis.UniversalClient
	tokens *devtoken.Tokens
	log    *bytes.Buffer
}

// open starts a forum with the built-in rules in UTC, at noon.
func open(tb testing.TB) *forum {
	tb.Helper()
	return openWith(tb, ledger.New(activity.Default(), board.NewCalendar(time.UTC)), noon)
}

func openWith(tb testing.TB, l *ledger.Ledger, now time.Time) *forum {
	tb.Helper()
	client := testserver.Redis(tb)
	f := openOn(tb, live.New(client, l, 1), l, now)
	f.client = client
	return f
}

func openOn(tb testing.TB, store httpapi.Store, l *ledger.Ledger, now time.Time, parts ...httpapi.Part) *forum {
	tb.Helper()
	return openOptions(tb, httpapi.Options{Store: store, Ledger: l, Now: func() time.Time { return now }}, parts...)
}

// openOptions starts a forum on options that need no log.
func openOptions(tb testing.TB, o httpapi.Options, parts ...httpapi.Part) *forum {
	tb.Helper()
	tokens, err := devtoken.New(secret, o.Now)
	if err != nil {
		tb.Fatal(err)
	}
	f := &forum{tb: tb, tokens: tokens, log: &bytes.Buffer{}}
	o.Log = slog.New(slog.NewTextHandler(f.log, nil))
	handler := httpapi.New(o, parts...)
	f.server = httptest.NewServer(tokens.Middleware(handler))
	tb.Cleanup(f.server.Close)
	return f
}

// user is the token of a user, service that of the forum's backend.
func (f *forum) user(id string) string { return f.sign(id, "") }
func (f *forum) service() string       { return f.sign("backend", "openid "+httpapi.ServiceScope) }

func (f *forum) sign(user, scope string) string {
	f.tb.Helper()
	token, err := f.tokens.Sign(user, scope, time.Hour)
	if err != nil {
		f.tb.Fatal(err)
	}
	return token
}

// An answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request; a body is JSON unless a header says otherwise. Headers are
// given as name, value, name, value...
func (f *forum) do(method, path, token, body string, headers ...string) answer {
	f.tb.Helper()
	r, err := http.NewRequestWithContext(f.tb.Context(), method, f.server.URL+path, strings.NewReader(body))
	if err != nil {
		f.tb.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
		if headers[i] == "Content-Type" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	// Not the default client: it would follow redirects, and there must be none.
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		f.tb.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		f.tb.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

func (f *forum) get(path, token string, headers ...string) answer {
	f.tb.Helper()
	return f.do(http.MethodGet, path, token, "", headers...)
}

func (f *forum) post(token, body string, headers ...string) answer {
	f.tb.Helper()
	return f.do(http.MethodPost, "/v1/activities", token, body, headers...)
}

// read reads an answer that has to be a 200.
func read[T any](tb testing.TB, a answer) T {
	tb.Helper()
	var v T
	if a.status != http.StatusOK {
		tb.Fatalf("status %d: %s", a.status, a.body)
	}
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil {
		tb.Fatalf("%v: %s", err, a.body)
	}
	return v
}

// A problem is what an answer of RFC 9457 says.
type problem struct {
	Title  string   `json:"title"`
	Status int      `json:"status"`
	Detail string   `json:"detail"`
	Errors []listed `json:"errors"`
}

// listed is a violation as a problem lists it.
type listed struct {
	Message  string `json:"message"`
	Location string `json:"location"`
	Value    any    `json:"value"`
}

// problem reads an answer that has to be a problem of its own status.
func (a answer) problem(tb testing.TB) problem {
	tb.Helper()
	if kind := a.header.Get("Content-Type"); kind != "application/problem+json" {
		tb.Fatalf("status %d with content type %q: %s", a.status, kind, a.body)
	}
	var p problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		tb.Fatalf("%v: %s", err, a.body)
	}
	if p.Status != a.status || p.Title != http.StatusText(a.status) || p.Detail == "" {
		tb.Errorf("status %d says %s", a.status, a.body)
	}
	return p
}

// locations lists where the violations are, in the answer's order.
func (p problem) locations() []string {
	locations := []string{}
	for _, e := range p.Errors {
		locations = append(locations, e.Location)
	}
	return locations
}

// state is everything that is stored.
func (f *forum) state() map[string]string {
	f.tb.Helper()
	state := map[string]string{}
	keys, err := f.client.Keys(f.tb.Context(), "*").Result()
	if err != nil {
		f.tb.Fatal(err)
	}
	for _, key := range keys {
		if state[key], err = f.client.Dump(f.tb.Context(), key).Result(); err != nil {
			f.tb.Fatal(err)
		}
	}
	return maps.Clone(state)
}
