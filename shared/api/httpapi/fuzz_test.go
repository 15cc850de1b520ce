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
	"laurel/shared/api/auth"
	"laurel/shared/api/httpapi"
)

// No address is an error of ours, a redirect, or a fault without a problem.
func FuzzQuery(f *testing.F) {
	for _, p := range readRequests(f, "testdata/requests/bad-queries.http").parts {
		path, query, _ := strings.Cut(p.path, "?")
		f.Add(path, query, true)
	}
	f.Add("/v1/boards/activity/day/users/%F0%9F%98%80", "around=25&period=2026-11-20", false)
	f.Add("/v1/users/ann/activity", "days=62", true)
	f.Add("/v1/boards/activity/day/periods", "before=2026-11-20&limit=100", false)
	o := harness.NewForum(f, harness.Setup{}).Requests()
	o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil)) // shows panics
	handler := httpapi.New(o, httpapi.Record, httpapi.Query)
	f.Fuzz(func(t *testing.T, path, query string, service bool) {
		u := &url.URL{Path: path, RawQuery: query}
		if decoded, err := url.PathUnescape(path); err == nil {
			u.Path, u.RawPath = decoded, path
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.URL = u
		w := httptest.NewRecorder()
		caller := auth.Caller{User: "ann", Service: service}
		handler.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), caller)))
		switch kind := w.Header().Get("Content-Type"); {
		case w.Code >= 500, w.Code >= 300 && w.Code < 400:
			t.Errorf("status %d: %s", w.Code, w.Body)
		case w.Code >= 400 && (kind != "application/problem+json" || !json.Valid(w.Body.Bytes())):
			t.Errorf("status %d as %q: %s", w.Code, kind, w.Body)
		}
	})
}
