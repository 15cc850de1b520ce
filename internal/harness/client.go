package harness

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
)

// Serve answers requests, in place of the server before, with options changed.
func (f *Forum) Serve(change ...func(*httpapi.Options)) *Forum {
	f.TB.Helper()
	o := f.Requests()
	for _, c := range change {
		c(&o)
	}
	return f.ServeBy(httpapi.New(o, httpapi.Record, httpapi.Query))
}

// ServeBy answers requests by a handler, in place of the server before.
func (f *Forum) ServeBy(handler http.Handler) *Forum {
	f.TB.Helper()
	server := httptest.NewServer(httpapi.WithRequestID(Callers(handler)))
	f.TB.Cleanup(server.Close)
	f.Client = &Client{f.TB, server.URL}
	return f
}

// Callers takes a request's bearer token, the text of a caller, for the caller. Package token
// tests signed ones.
func Callers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if caller, err := auth.ParseText(text); err == nil {
			r = r.WithContext(auth.WithCaller(r.Context(), caller))
		}
		next.ServeHTTP(w, r)
	})
}

// User is the token of a user.
func (*Forum) User(id string) string { return auth.Caller{User: id}.Text() }

// Service is the token of the forum's backend.
func (*Forum) Service() string { return auth.Caller{Service: true}.Text() }

// Did reports activities of users, as the service, now: "ann like 7".
func (f *Forum) Did(all ...string) []httpapi.Receipt {
	f.TB.Helper()
	acts := make([]string, len(all))
	for i, text := range all {
		user, rest, _ := strings.Cut(text, " ")
		action, target, _ := strings.Cut(rest, " ")
		acts[i] = `{"user":` + Quote(user) + `,"action":"` + action + `","target":` + Quote(target) + `}`
	}
	return JSON[httpapi.Receipts](f.TB, f.Post(f.Service(), Report(acts...))).Receipts
}

// Report is the body of a report.
func Report(activities ...string) string {
	return `{"activities":[` + strings.Join(activities, ",") + `]}`
}

// ReportOf is the body of a report of activities.
func ReportOf(t T, acts []activity.Activity) string {
	t.Helper()
	texts := make([]string, len(acts))
	for i, a := range acts {
		texts[i] = string(Must(json.Marshal(Sent(a)))(t))
	}
	return Report(texts...)
}

// Sent is an activity, or an award, as the API takes it.
func Sent(a activity.Activity) map[string]any {
	if w := a.Award; w != nil {
		return map[string]any{"id": w.ID, "at": a.At.String(), "points": w.Points, "board": w.Board, "reason": w.Reason}
	}
	sent := map[string]any{"user": a.User, "action": a.Action, "at": a.At.String()}
	for name, value := range map[string]string{"target": a.Target, "ref": a.Ref, "other": a.Other} {
		if value != "" {
			sent[name] = value
		}
	}
	if a.Value != nil {
		sent["value"] = *a.Value
	}
	if a.Restores {
		sent["restores"] = true
	}
	return sent
}

// A Client sends requests to a server.
type Client struct {
	tb  testing.TB
	URL string
}

// NewClient is a client of the server at an address.
func NewClient(tb testing.TB, url string) *Client { return &Client{tb, url} }

// An Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Do sends a request; a body is JSON unless a header says otherwise. Headers are
// given as name, value, name, value...
func (c *Client) Do(method, path, token, body string, headers ...string) Answer {
	c.tb.Helper()
	if token != "" {
		headers = append([]string{"Authorization", "Bearer " + token}, headers...)
	}
	return Must(Send(c.tb.Context(), method, c.URL+path, body, headers...))(c.tb)
}

// Send sends a request, as Do takes it, to an address.
func Send(ctx context.Context, method, address, body string, headers ...string) (Answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	if body != "" && !slices.Contains(headers, "Content-Type") {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	// Not the default client: it would follow redirects, and there must be none.
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return Answer{response.StatusCode, response.Header, string(text)}, err
}

// Get reads an address.
func (c *Client) Get(path, token string, headers ...string) Answer {
	c.tb.Helper()
	return c.Do(http.MethodGet, path, token, "", headers...)
}

// Put puts a body at an address.
func (c *Client) Put(path, token, body string) Answer {
	c.tb.Helper()
	return c.Do(http.MethodPut, path, token, body)
}

// Delete deletes the resource at an address.
func (c *Client) Delete(path, token string) Answer {
	c.tb.Helper()
	return c.Do(http.MethodDelete, path, token, "")
}

// Post posts activities.
func (c *Client) Post(token, body string) Answer {
	c.tb.Helper()
	return c.Do(http.MethodPost, "/v1/activities", token, body)
}

// Signed are the headers with which a source signs a webhook, as Do takes them.
func Signed(source, secret, id, body string, now time.Time) (headers []string) {
	for name, value := range signatures.Sign(source, secret, id, now, []byte(body)) {
		headers = append(headers, name, value)
	}
	return headers
}

// JSON reads an answer that has to be a 200, and have nothing else.
func JSON[V any](tb testing.TB, a Answer) V {
	tb.Helper()
	var v V
	if a.Status != http.StatusOK {
		tb.Fatalf("status %d: %s", a.Status, a.Body)
	}
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&v); err != nil {
		tb.Fatalf("%v: %s", err, a.Body)
	}
	return v
}

// A Problem is the content of an answer of RFC 9457.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Code   string `json:"code"`
	Errors []struct {
		Code     string          `json:"code"`
		Message  string          `json:"message"`
		Location string          `json:"location"`
		Value    json.RawMessage `json:"value,omitempty"` // as it is written
	} `json:"errors,omitempty"`
	Instance string `json:"instance,omitempty"`
}

// Problem reads an answer that has to be a problem of its own status.
func (a Answer) Problem(tb testing.TB) Problem {
	tb.Helper()
	if kind := a.Header.Get("Content-Type"); kind != "application/problem+json" {
		tb.Fatalf("status %d with content type %q: %s", a.Status, kind, a.Body)
	}
	var p Problem
	if err := json.Unmarshal([]byte(a.Body), &p); err != nil {
		tb.Fatalf("%v: %s", err, a.Body)
	}
	kind := httpapi.KindOf(httpapi.Code(p.Code))
	if p.Status != a.Status || p.Status != kind.Status || p.Type != kind.Type() || p.Title == "" || p.Detail == "" {
		tb.Errorf("status %d says %s", a.Status, a.Body)
	}
	for _, e := range p.Errors {
		if _, known := maps.Collect(httpapi.ViolationCodes())[e.Code]; !known {
			tb.Errorf("the code %q of a violation is not on the list: %s", e.Code, a.Body)
		}
	}
	return p
}
