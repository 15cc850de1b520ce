package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
)

// BenchmarkReads reads the month's board of users who have names, as often as benchmarks of
// the whole program do, without HTTP.
func BenchmarkReads(b *testing.B) {
	const users = 2_000
	f := harness.NewForum(b, harness.Setup{})
	api := httpapi.New(f.Requests(), httpapi.Record, httpapi.Query)
	do := func(method, path, body string) {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if body != "" {
			r.Header.Set("Authorization", "Bearer "+f.Service())
		}
		w := httptest.NewRecorder()
		if harness.Callers(api).ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
	id := func(i int) string { return fmt.Sprint(10_000_000 + 7*i) }
	for from := 0; from < users; from += 100 {
		var acts, profiles []string
		for i := from; i < from+100; i++ {
			acts = append(acts, fmt.Sprintf(`{"user":%q,"action":%q,"target":"%d"}`, id(i), []string{"like", "comment"}[i%2], i))
			profiles = append(profiles, fmt.Sprintf(`{"id":%q,"name":"User %[1]s",`+
				`"avatar":"https://forum.example/avatars/%[1]s.png","link":"https://forum.example/u/%[1]s"}`, id(i)))
		}
		do(http.MethodPost, "/v1/activities", harness.Report(acts...))
		do(http.MethodPut, "/v1/users", `{"users":[`+strings.Join(profiles, ",")+`]}`)
	}
	const month = "/v1/boards/activity/month"
	for _, read := range []struct {
		name string
		path func(i int) string
	}{
		{"top", func(int) string { return month + "?limit=30" }},
		{"standing", func(i int) string { return month + "/users/" + id(i*7919%users) + "?around=0" }},
		{"around", func(i int) string { return month + "/users/" + id(i*7919%users) + "?around=15" }},
	} {
		b.Run(read.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				w := httptest.NewRecorder()
				api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, read.path(i), http.NoBody))
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
