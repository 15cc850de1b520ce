package harness

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"laurel/shared/httpapi"
)

// response is what the document says of a status, as far as it is looked at here.
type response struct {
	Headers map[string]any `json:"headers"`
}

// statuses returns the statuses that the OpenAPI document has, by operation: "GET /v1/rules".
var statuses = sync.OnceValue(func() map[string]map[string]response {
	answer := httptest.NewRecorder()
	httpapi.New(httpapi.Options{Ledger: UTC()}, httpapi.Query).
		ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/openapi.json", http.NoBody))
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]response `json:"responses"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &document); err != nil {
		panic(err)
	}
	all := map[string]map[string]response{}
	for path, item := range document.Paths {
		for method, operation := range item {
			all[strings.ToUpper(method)+" "+path] = operation.Responses
		}
	}
	return all
})

// documented serves requests, and fails the test when an answer has a status that the
// document has not for its operation, or lacks a header of it. An internal error is anywhere.
func documented(tb testing.TB, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &seen{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		operation, ok := statuses()[r.Pattern]
		if !ok || seen.status == http.StatusInternalServerError {
			return
		}
		described, ok := operation[strconv.Itoa(seen.status)]
		if !ok {
			tb.Errorf("%s: the document does not have the status %d of %s", r.Pattern, seen.status, r.URL)
		}
		for name := range described.Headers {
			if w.Header().Get(name) == "" {
				tb.Errorf("%s: %d of %s lacks the header %s that the document has", r.Pattern, seen.status, r.URL, name)
			}
		}
	})
}

// seen is an answer that tells its status.
type seen struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status, and keeps it.
func (s *seen) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (s *seen) Unwrap() http.ResponseWriter { return s.ResponseWriter }
