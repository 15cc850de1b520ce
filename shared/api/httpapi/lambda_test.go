package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httputil"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
)

type (
	event      = events.APIGatewayV2HTTPRequest
	reply      = events.APIGatewayV2HTTPResponse
	authorizer = events.APIGatewayV2HTTPRequestContextAuthorizerDescription
)

func load(t *testing.T, name string) (e event) {
	t.Helper()
	text := harness.Must(os.ReadFile("testdata/events/" + name + ".json"))(t)
	harness.OK(t, json.Unmarshal(text, &e))
	return e
}

// show returns the request that a handler sees of an event, and its text.
func show(t *testing.T, e event) (seen *http.Request, text string) {
	t.Helper()
	harness.Must(httpapi.Lambda(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		seen, text = r, string(harness.Must(httputil.DumpRequest(r, true))(t))
	}))(t.Context(), e))(t)
	return seen, strings.ReplaceAll(text, "\r\n", "\n")
}

// The sample events are the requests that clients have sent: testdata/events has both; -update writes the requests.
func TestEventsAreRequests(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"report", "report_base64_service", "board"} {
		r, got := show(t, load(t, name))
		caller, known := auth.CallerFrom(r.Context())
		got += fmt.Sprintf("\n\npath %s from %s, of %+v: %t\n", r.URL.Path, r.RemoteAddr, caller, known)
		harness.Golden(t, "testdata/events/"+name+".txt", got)
	}
}

// The name of a stage is no part of a path, which is decoded once; and only the context of the authorizer
// names the caller.
func TestPathsAndCallersOfEvents(t *testing.T) {
	t.Parallel()
	authorized := func(text any) *authorizer { return &authorizer{Lambda: map[string]any{auth.ContextKey: text}} }
	jwt := &authorizer{JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{
		Claims: map[string]string{"sub": "ann", "scope": auth.ServiceScope},
	}}
	for _, c := range []struct {
		stage, raw string
		authorizer *authorizer
		path       string
		want       auth.Caller
	}{
		{"$default", "/v1/rules", nil, "/v1/rules", auth.Caller{}},
		{"live", "/live/v1/rules", authorized("user.YW5u"), "/v1/rules", auth.Caller{User: "ann"}},
		{"live", "/v1/rules", authorized("service"), "/v1/rules", auth.Caller{Service: true}},
		{"live", "/livelong", authorized("ann"), "/livelong", auth.Caller{}},
		{"$default", "", authorized(7), "/", auth.Caller{}},
		{"$default", "/v1/users/a?b#c/standings", jwt, "/v1/users/a?b#c/standings", auth.Caller{}},
		{"$default", "/v1/users/%2F/standings", &authorizer{}, "/v1/users/%2F/standings", auth.Caller{}}, // the id is %2F
		{"$default", "/v1/users/\x00\n/standings", nil, "/v1/users/\x00\n/standings", auth.Caller{}},
	} {
		e := load(t, "board")
		e.RawPath, e.RequestContext.Stage, e.RequestContext.Authorizer = c.raw, c.stage, c.authorizer
		r, _ := show(t, e)
		caller, known := auth.CallerFrom(r.Context())
		if r.URL.Path != c.path || r.URL.RawQuery != "period=2026-11-20&around=1" ||
			caller != c.want || known != (c.want != auth.Caller{}) {
			t.Errorf("%q on %s: %s, %+v %t", c.raw, c.stage, r.URL, caller, known)
		}
	}
}

// Answers become replies: text as it is, bytes in base64, headers joined, cookies apart.
func TestReplies(t *testing.T) {
	t.Parallel()
	several := http.Header{"Vary": {"Accept", "Origin"}, "Set-Cookie": {"a=1, 2", "b=3"}}
	for _, c := range []struct {
		method string
		header http.Header
		status int // 0 for none
		body   string
		want   reply
	}{
		{"GET", nil, 0, "", reply{StatusCode: 200}},
		{"GET", nil, 0, "é", reply{StatusCode: 200, Body: "é"}},
		{"GET", nil, 0, "\xff\x00", reply{StatusCode: 200, Body: "/wA=", IsBase64Encoded: true}},
		{"GET", several, http.StatusTeapot, "", reply{
			StatusCode: 418, Headers: map[string]string{"Vary": "Accept, Origin"}, Cookies: []string{"a=1, 2", "b=3"},
		}},
		{"HEAD", nil, 0, "not sent", reply{StatusCode: 200}},
	} {
		e := load(t, "board")
		e.RequestContext.HTTP.Method, e.Headers["x-request-id"] = c.method, "theirs"
		got, err := httpapi.Lambda(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			maps.Copy(w.Header(), c.header)
			if c.status != 0 {
				w.WriteHeader(c.status)
				w.WriteHeader(http.StatusOK) // the first one counts
			}
			_, _ = w.Write([]byte(c.body))
		}))(t.Context(), e)
		if id := got.Headers[httpapi.RequestIDHeader]; id != e.RequestContext.RequestID { // even if a client sends one
			t.Errorf("%+v: the request is %q", c, id)
		}
		delete(got.Headers, httpapi.RequestIDHeader)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%+v: %v (-want +got):\n%s", c, err, diff)
		}
	}
}

// An event that is no request is an error: a log shows it and an alarm counts it. A request that is not readable
// is answered. Neither reaches the handler.
func TestEventsThatAreNoRequests(t *testing.T) {
	t.Parallel()
	handle := httpapi.Lambda(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was served") }))
	badBody, badMethod := load(t, "report_base64_service"), load(t, "board")
	badBody.Body, badMethod.RequestContext.HTTP.Method = "%%%", "GET IT"
	for _, e := range []event{badBody, badMethod} {
		got, err := handle(t.Context(), e)
		if err != nil || got.StatusCode != http.StatusBadRequest || got.Headers["Cache-Control"] != "no-store" ||
			got.Headers["Content-Type"] != "application/problem+json" ||
			got.Headers[httpapi.RequestIDHeader] != e.RequestContext.RequestID || !json.Valid([]byte(got.Body)) {
			t.Errorf("%+v %v", got, err)
		}
	}
	for _, text := range []string{
		`{}`, `{"Records":[{"eventSource":"aws:sqs"}]}`,
		`{"version":"1.0","httpMethod":"GET","path":"/v1/rules","requestContext":{"httpMethod":"GET"}}`,
	} {
		var e event
		harness.OK(t, json.Unmarshal([]byte(text), &e))
		if answer, err := handle(t.Context(), e); !errors.Is(err, httpapi.ErrEvent) {
			t.Errorf("%s: %+v, %v", text, answer, err)
		}
	}
}

// The context of a handler that waits for a store ends while there is time for its
// answer: half a second, or a quarter of the remaining time.
func TestHandlersEndBeforeTheFunction(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for left, reserve := range map[time.Duration]time.Duration{
			time.Hour: httpapi.Reserve, time.Second: 250 * time.Millisecond, -time.Second: 0,
		} {
			end := time.Now().Add(left)
			ctx, cancel := context.WithDeadline(t.Context(), end)
			harness.Must(httpapi.Lambda(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if deadline, ok := r.Context().Deadline(); !ok || end.Sub(deadline) != reserve {
					t.Errorf("%s left: %s are reserved, not %s", left, end.Sub(deadline), reserve)
				}
			}))(ctx, load(t, "report")))(t)
			cancel()
		}
		ctx, cancel := httpapi.WithReserve(t.Context())
		if _, ok := ctx.Deadline(); ok || ctx.Err() != nil {
			t.Error("without a deadline there is one")
		}
		if cancel(); ctx.Err() == nil {
			t.Error("it cannot be ended")
		}
	})
}

// Only requests with the secret of the CDN are answered; without a secret all are.
func TestThroughCDN(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		secret, sent string
		answered     bool
	}{
		{"", "", true},
		{"", "x", true},
		{"s3cret", "s3cret", true},
		{"s3cret", "", false},
		{"s3cret", "s3cre", false},
		{"s3cret", "s3cret,s3cret", false},
	} {
		e := load(t, "board")
		e.Headers[httpapi.CDNHeader] = c.sent
		got, err := httpapi.Lambda(httpapi.ThroughCDN(c.secret, http.NotFoundHandler()))(t.Context(), e)
		if err != nil || got.StatusCode != map[bool]int{true: http.StatusNotFound, false: http.StatusForbidden}[c.answered] {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
}
