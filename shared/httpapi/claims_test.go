package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/harness"
	"laurel/shared/auth"
	"laurel/shared/httpapi"
)

// A route is an operation of the OpenAPI document.
type route struct {
	method, path string
	public       bool
}

// routes reads the document that the handler serves.
func routes(t *testing.T, handler http.Handler) []route {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/openapi.json", http.NoBody))
	var document struct {
		Paths map[string]map[string]struct {
			Security []map[string][]string `json:"security"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	var all []route
	filled := strings.NewReplacer("{board}", "activity", "{window}", "day", "{user}", "ann")
	for path, item := range document.Paths {
		for method, o := range item {
			all = append(all, route{strings.ToUpper(method), filled.Replace(path), len(o.Security) == 0})
		}
	}
	return all
}

// Without claims every route that is not for all answers 401, before it looks at
// anything else, whatever would have brought them; those that are for all answer.
func TestWithoutClaims(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	handler := f.API(httpapi.Record, httpapi.Query)
	direct := harness.Callers(handler)
	through := func(r route, event events.APIGatewayV2HTTPRequest) int {
		event.Version, event.RawPath, event.RequestContext.HTTP.Method = "2.0", r.path, r.method
		answer, err := httpapi.Lambda(handler)(t.Context(), event)
		if err != nil {
			t.Error(err)
		}
		return answer.StatusCode
	}
	statuses := map[string]func(route) int{
		"gateway": func(r route) int {
			headers := map[string]string{"authorization": "Bearer " + f.Service()}
			event := events.APIGatewayV2HTTPRequest{Headers: headers}
			if !r.public {
				event.Body = "{"
			}
			return through(r, event)
		},
		"gateway with another authorizer": func(r route) int {
			event := events.APIGatewayV2HTTPRequest{}
			event.RequestContext.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
				Lambda: map[string]any{"sub": "ann", "scope": auth.ServiceScope},
			}
			return through(r, event)
		},
		"without a token":    func(r route) int { return serve(t, direct, r, "") },
		"with another token": func(r route) int { return serve(t, direct, r, "Bearer user.") },
		"the handler alone":  func(r route) int { return serve(t, handler, r, "Bearer "+f.Service()) },
	}
	all := routes(t, handler)
	closed := 0
	// What a path names need not be there, nor a table in which to look.
	open := []int{http.StatusOK, http.StatusNotFound, http.StatusNotImplemented}
	for _, r := range all {
		if !r.public {
			closed++
		}
		for way, statusOf := range statuses {
			if got := statusOf(r); (got == http.StatusUnauthorized) == r.public || (r.public && !slices.Contains(open, got)) {
				t.Errorf("%s %s through %s: %d", r.method, r.path, way, got)
			}
		}
	}
	if closed < 4 || len(all)-closed < 5 {
		t.Errorf("%d routes, %d of them closed", len(all), closed)
	}
}

// serve is the status of a handler's answer.
func serve(t *testing.T, handler http.Handler, r route, authorization string) int {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), r.method, r.path, io.NopCloser(strings.NewReader("")))
	if authorization != "" {
		request.Header.Set("Authorization", authorization)
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, request)
	return w.Code
}
