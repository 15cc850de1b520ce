package httpapi_test

import (
	"net/http"
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

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
	store := live.New(testserver.Redis(t), l, 1)
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
