package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"laurel/shared/httpapi"
)

// Only who has the secret is answered; without one everybody is.
func TestThroughCDN(t *testing.T) {
	t.Parallel()
	answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	for _, test := range []struct {
		secret, sent string
		status       int
	}{
		{"", "", http.StatusOK},
		{"", "x", http.StatusOK},
		{"s3cret", "s3cret", http.StatusOK},
		{"s3cret", "", http.StatusForbidden},
		{"s3cret", "s3cre", http.StatusForbidden},
		{"s3cret", "s3cret,s3cret", http.StatusForbidden},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/health", http.NoBody)
		if test.sent != "" {
			r.Header.Set(httpapi.CDNHeader, test.sent)
		}
		w := httptest.NewRecorder()
		httpapi.ThroughCDN(test.secret, answer).ServeHTTP(w, r)
		if w.Code != test.status || w.Code != http.StatusOK && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%+v: %d %s", test, w.Code, w.Body)
		}
	}
}
