package httpapi_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/auth"
	"laurel/shared/httpapi"
)

// fuzzed is a handler to be fuzzed; what panicked is logged by the test.
func fuzzed(f *testing.F) http.Handler {
	f.Helper()
	o := harness.NewForum(f, harness.Setup{}).Requests()
	o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	return httpapi.New(o, httpapi.Record, httpapi.Query)
}

// answerTo serves a request that comes from fuzzing, and fails when the answer
// is an error of ours, a redirect, or a fault without a problem.
func answerTo(t *testing.T, handler http.Handler, r *http.Request, caller auth.Caller) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), caller)))
	switch kind := w.Header().Get("Content-Type"); {
	case w.Code >= 500, w.Code >= 300 && w.Code < 400:
		t.Errorf("status %d: %s", w.Code, w.Body)
	case w.Code >= 400 && (kind != "application/problem+json" || !json.Valid(w.Body.Bytes())):
		t.Errorf("status %d as %q: %s", w.Code, kind, w.Body)
	}
	return w
}

func FuzzActivitiesBody(f *testing.F) {
	for _, p := range readRequests(f, "testdata/requests/bad-reports.http").parts {
		if body := expand(p.body, answer{}); len(body) < 1000 {
			f.Add(body, p.token == "service")
		}
	}
	f.Add(list(like), false)
	f.Add(list(`{"action":"like","target":"a1","user":"ann","at":"2026-11-20T11:59:59.999+02:00"}`), true)
	handler := fuzzed(f)
	f.Fuzz(func(t *testing.T, body string, service bool) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/activities", strings.NewReader(body))
		w := answerTo(t, handler, r, auth.Caller{User: "ann", Service: service})
		switch w.Code {
		case http.StatusOK, http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge,
			http.StatusUnprocessableEntity:
		default:
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, p := range readRequests(f, "testdata/requests/bad-queries.http").parts {
		path, query, _ := strings.Cut(p.path, "?")
		f.Add(path, query, true)
	}
	f.Add("/v1/boards/activity/day/users/%F0%9F%98%80", "around=25&period=2026-11-20", false)
	f.Add("/v1/users/ann/activity", "days=62", true)
	f.Add("/v1/boards/activity/day/periods", "before=2026-11-20&limit=100", false)
	handler := fuzzed(f)
	f.Fuzz(func(t *testing.T, path, query string, service bool) {
		u := &url.URL{Path: path, RawQuery: query}
		if decoded, err := url.PathUnescape(path); err == nil {
			u.Path, u.RawPath = decoded, path
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.URL = u
		answerTo(t, handler, r, auth.Caller{User: "ann", Service: service})
	})
}
