package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// BenchmarkHandler measures requests without a network between: the list of boards, which takes no store, a page of a
// board, and a report.
func BenchmarkHandler(b *testing.B) {
	f := open(b)
	f.Did("ann like a1")
	handler := harness.Callers(httpapi.New(f.Requests(), httpapi.Record, httpapi.Query))
	for _, request := range []struct{ name, method, path, body string }{
		{"boards", http.MethodGet, "/v1/boards", ""},
		{"board", http.MethodGet, "/v1/boards/activity/day?limit=10&user=ann", ""},
		{"report", http.MethodPost, "/v1/activities", harness.Report(`{"action":"like","target":"a1"}`)},
	} {
		b.Run(request.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequestWithContext(b.Context(), request.method, request.path, strings.NewReader(request.body))
				r.Header.Set("Authorization", "Bearer "+f.User("ann"))
				if request.body == "" {
					r.Body = http.NoBody
				}
				w := httptest.NewRecorder()
				if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
	b.Run("start", func(b *testing.B) {
		b.ReportAllocs()
		o := f.Requests()
		for b.Loop() {
			httpapi.New(o, httpapi.Query)
		}
	})
}
