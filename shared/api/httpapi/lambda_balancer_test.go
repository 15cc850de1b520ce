package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httputil"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
)

// balanced returns the answer of a handler to the sample event of a load balancer, after a change.
func balanced(t *testing.T, h http.Handler, change func(*events.ALBTargetGroupRequest)) (
	events.ALBTargetGroupResponse, error,
) {
	t.Helper()
	var e events.ALBTargetGroupRequest
	harness.OK(t, json.Unmarshal(harness.Must(os.ReadFile("testdata/events/balancer.json"))(t), &e))
	if change != nil {
		change(&e)
	}
	answer, err := httpapi.LambdaOrBalancer(h)(t.Context(), harness.Must(json.Marshal(e))(t))
	r, _ := answer.(events.ALBTargetGroupResponse)
	return r, err
}

// The sample event of a load balancer is the request that the client has sent; -update writes it.
func TestBalancersEventsAreRequests(t *testing.T) {
	t.Parallel()
	var got string
	_, err := balanced(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, known := auth.CallerFrom(r.Context())
		text := string(harness.Must(httputil.DumpRequest(r, true))(t))
		got = strings.ReplaceAll(text, "\r\n", "\n") + fmt.Sprintf("\n\npath %s, users %q from %s, known: %t\n",
			r.URL.Path, r.URL.Query()["users"], r.RemoteAddr, known)
	}), nil)
	harness.OK(t, err)
	harness.Golden(t, "testdata/events/balancer.txt", got)
}

// A load balancer gets the answer that an HTTP API gets, with a description and headers of several values.
func TestBalancersGetTheSameAnswers(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	h := httpapi.Compressed(f.API(httpapi.Query))
	for _, path := range []string{
		"/v1/boards", "/v1/boards/activity/day", "/v1/users/nobody", "/v1/users/ann/standings", "/embed", "/no",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			e := load(t, "board")
			e.RequestContext.HTTP.Method, e.RawPath, e.RawQueryString, e.RequestContext.Authorizer = method, path, "", nil
			e.Headers = map[string]string{"accept-encoding": "gzip"}
			want := harness.Must(httpapi.Lambda(h)(t.Context(), e))(t)
			got, err := balanced(t, h, func(b *events.ALBTargetGroupRequest) {
				b.HTTPMethod, b.Path, b.MultiValueQueryStringParameters = method, path, nil
				b.MultiValueHeaders = map[string][]string{"accept-encoding": {"gzip"}}
			})
			harness.OK(t, err)
			joined := map[string]string{}
			for name, values := range got.MultiValueHeaders {
				joined[name] = strings.Join(values, ", ")
			}
			delete(joined, httpapi.RequestIDHeader)
			delete(want.Headers, httpapi.RequestIDHeader)
			if got.StatusDescription != fmt.Sprint(want.StatusCode, " ", http.StatusText(want.StatusCode)) {
				t.Errorf("%s %s: %q", method, path, got.StatusDescription)
			}
			as := reply{StatusCode: got.StatusCode, Headers: joined, Body: got.Body, IsBase64Encoded: got.IsBase64Encoded}
			if !strings.Contains(joined["Content-Type"], "problem") { // it names the request
				if diff := cmp.Diff(want, as); diff != "" {
					t.Errorf("%s %s (-HTTP API +load balancer):\n%s", method, path, diff)
				}
			} else if want.StatusCode != as.StatusCode {
				t.Errorf("%s %s: %d, not %d", method, path, as.StatusCode, want.StatusCode)
			}
		}
	}
}

// A request that is not readable is answered; an event of anything else is an error.
func TestBalancersEventsThatAreNoRequests(t *testing.T) {
	t.Parallel()
	never := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was served") })
	for name, change := range map[string]func(*events.ALBTargetGroupRequest){
		"path":   func(e *events.ALBTargetGroupRequest) { e.Path = "/%zz" },
		"method": func(e *events.ALBTargetGroupRequest) { e.HTTPMethod = "GET IT" },
		"body":   func(e *events.ALBTargetGroupRequest) { e.Body, e.IsBase64Encoded = "%%%", true },
	} {
		got, err := balanced(t, never, change)
		if err != nil || got.StatusCode != http.StatusBadRequest || len(got.MultiValueHeaders[httpapi.RequestIDHeader]) != 1 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, text := range []string{
		`{}`, `[]`, `{"Records":[{"eventSource":"aws:sqs"}]}`, `{"httpMethod":"GET","path":"/"}`,
	} {
		if answer, err := httpapi.LambdaOrBalancer(never)(t.Context(), []byte(text)); !errors.Is(err, httpapi.ErrEvent) {
			t.Errorf("%s: %+v, %v", text, answer, err)
		}
	}
}
