package httpapi_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
)

// An answer, its problem and the log have the id that came with the request, if that is one.
func TestARequestHasOneID(t *testing.T) {
	t.Parallel()
	for sent, kept := range map[string]bool{
		"edge-7.a_B=": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, `a"b`: false, "a\nb": false, "é": false, "a/b": false,
	} {
		var out bytes.Buffer
		log := slog.New(httpapi.LogRequests(slog.NewJSONHandler(&out, nil))).With("part", "test")
		api := httpapi.New(httpapi.Options{Ledger: harness.UTC(), Log: log, Now: time.Now}, httpapi.Query)
		handler := httpapi.WithRequestID(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			log.InfoContext(r.Context(), "asked")
			api.ServeHTTP(w, r)
		}))
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/nothing", http.NoBody)
		r.Header[httpapi.RequestIDHeader] = []string{sent}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		id := w.Header().Get(httpapi.RequestIDHeader)
		if (id == sent) != kept || id == "" {
			t.Errorf("%q: the request is %q", sent, id)
		}
		for field, text := range map[string]string{"instance": w.Body.String(), "request": out.String()} {
			if !strings.Contains(text, fmt.Sprintf("%q:%q", field, id)) {
				t.Errorf("%q: the request is %q: %s", sent, id, text)
			}
		}
	}
}
