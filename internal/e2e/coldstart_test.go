package e2e_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

var maxSize = map[string]int64{"arm64": 14_300_000, "amd64": 15_500_000} // bytes of record, stripped

// BenchmarkColdStart measures how soon the built functions poll, how soon after it they answer their first event, and
// how large they are. The times depend on this machine and its load. Events are an activity, a board, a nightly run
// with nothing to do, and a token.
func BenchmarkColdStart(b *testing.B) {
	f := newForum(b)
	f.night()
	like := harness.Report(`{"action":"like","target":"a1"}`)
	for _, c := range []struct {
		name, want string
		event      []byte
	}{
		{archive, `"moved":`, []byte(`{}`)}, // before there is anything
		{record, `"statusCode":200`, e2e.Request("POST", "/v1/activities", like, ann)},
		{query, `"statusCode":200`, e2e.Request("GET", "/v1/boards/{board=activity}/{window=day}", "", nobody)},
		{authorize, `"isAuthorized":true`, e2e.Authorization("POST", "/v1/activities", "Bearer "+tokenOf(userSecret, "ann"))},
	} {
		b.Run(c.name, func(b *testing.B) {
			var poll, answer time.Duration
			for b.Loop() {
				o := e2e.Options{Binary: binary(b, c.name), Timeout: time.Minute, Environment: f.environment}
				function := harness.Must(e2e.Start(o))(b)
				poll += harness.Must(function.Ready(b.Context()))(b)
				began := time.Now()
				text := harness.Must(function.Invoke(b.Context(), c.event))(b)
				answer += time.Since(began)
				function.Stop()
				if !strings.Contains(string(text), c.want) {
					b.Fatalf("%s answers %s", c.name, text)
				}
			}
			b.ReportMetric(float64(poll.Microseconds())/float64(1000*b.N), "ms-to-poll")
			b.ReportMetric(float64(answer.Microseconds())/float64(1000*b.N), "ms-to-answer")
			info := harness.Must(os.Stat(binary(b, c.name)))(b)
			b.ReportMetric(float64(info.Size())/1e6, "MB")
			b.ReportMetric(0, "ns/op")
		})
	}
}
