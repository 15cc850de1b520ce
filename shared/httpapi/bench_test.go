package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/board"
	"laurel/shared/httpapi"
)

// BenchmarkReport answers reports of users with 30 entries this month, through the handler and
// a real Redis, and a table in memory.
func BenchmarkReport(b *testing.B) {
	const users, entries = 2_000, 30
	f := harness.NewForum(b, harness.Setup{})
	var acts []activity.Activity
	for n := range users * entries {
		acts = append(acts, harness.Did(b, fmt.Sprintf("user-%d %s", n%users, marked(n)), board.MomentOf(harness.Noon)-1000))
		if len(acts) == 500 {
			f.Record(acts...)
			acts = acts[:0]
		}
	}
	handler, n := httpapi.New(f.Requests(), httpapi.Record), users*entries
	for _, size := range []int{1, 100} {
		b.Run(fmt.Sprintf("batch of %d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				given := make([]string, size)
				for i := range given {
					n++
					action, target, _ := strings.Cut(marked(n), " ")
					given[i] = fmt.Sprintf(`{"user":"user-%d","action":%q,"target":%q}`, n%users, action, target)
				}
				body := harness.Report(given...)
				b.StartTimer()
				r := httptest.NewRequest(http.MethodPost, "/v1/activities", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r.WithContext(auth.WithCaller(r.Context(), auth.Caller{Service: true})))
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

// marked returns the n-th action and its target, which no other has.
func marked(n int) string {
	return fmt.Sprintf("%s %d", []string{"like", "bookmark", "comment"}[n%3], 1_000_000+n)
}
