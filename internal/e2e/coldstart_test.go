package e2e_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/app"
	"laurel/shared/records"
	"laurel/shared/table/dynamo"
)

// What record and query may take.
const maxStartup = 8 * time.Millisecond // median, exec to first poll

var maxSize = map[string]int64{"arm64": 14_300_000, "amd64": 15_500_000} // bytes of record, stripped

// firstEvents are an activity, a board, and a nightly run with nothing to do.
var firstEvents = map[string][]byte{
	record:    e2e.Request("POST", "/v1/activities", reportOf(`{"action":"like","target":"a1"}`), ann),
	query:     e2e.Request("GET", "/v1/boards/{board=activity}/{window=day}", "", nobody),
	archive:   []byte(`{}`),
	authorize: e2e.Authorization("POST", "/v1/activities", "Bearer "+tokenOf(userSecret, "ann")),
}

// starts are the times that a function took: from exec to the first poll, and from
// the first event to its answer.
type starts struct{ poll, answer []time.Duration }

// coldStart starts each function once, by turns, and adds what that took.
func coldStart(tb testing.TB, environment []string, taken map[string]*starts) {
	tb.Helper()
	for name := range firstEvents {
		f, err := e2e.Start(e2e.Options{Binary: binary(tb, name), Timeout: time.Minute, Environment: environment})
		if err != nil {
			tb.Fatal(err)
		}
		poll := harness.Must(f.Ready(tb.Context()))(tb)
		began := time.Now()
		answer, err := f.Invoke(tb.Context(), firstEvents[name])
		took := time.Since(began)
		f.Stop()
		if err != nil || !strings.Contains(string(answer), `"statusCode":200`) &&
			!strings.Contains(string(answer), `"moved":`) && !strings.Contains(string(answer), `"isAuthorized":true`) {
			tb.Fatalf("%s answers %s, %v", name, answer, err)
		}
		taken[name].poll, taken[name].answer = append(taken[name].poll, poll), append(taken[name].answer, took)
	}
}

// coldEnvironment is an empty Redis, and a table without items.
func coldEnvironment(tb testing.TB) []string {
	tb.Helper()
	endpoint, name := testserver.Table(tb)
	harness.Must(dynamo.Open(tb.Context(), dynamo.Options{Name: name, Endpoint: endpoint}))(tb) // makes it
	f := &forum{environment: []string{
		"REDIS_URL=" + testserver.RedisURL(tb), "TABLE_NAME=" + name, "DYNAMODB_ENDPOINT=" + endpoint,
		"USER_SECRETS=" + userSecret,
	}}
	fill(tb, f.appOn(tb, func(c *app.Config) (records.Table, error) { return dynamo.New(c.TableOptions()) }))
	return f.environment
}

func newStarts() map[string]*starts {
	return map[string]*starts{record: {}, query: {}, archive: {}, authorize: {}}
}

// BenchmarkColdStart measures how soon the built functions poll and answer, and how
// large they are. The times are of this machine and what else it does: the functions
// take turns, and the bar is for the median.
func BenchmarkColdStart(b *testing.B) {
	environment, taken := coldEnvironment(b), newStarts()
	coldStart(b, environment, newStarts()) // brings the binaries into memory
	for b.Loop() {
		coldStart(b, environment, taken)
	}
	b.Logf("bars: median of the first poll %s (record, query); bytes of record %v", maxStartup, maxSize)
	dir := b.TempDir()
	for name := range firstEvents {
		var sizes strings.Builder
		for _, arch := range slices.Sorted(maps.Keys(maxSize)) {
			harness.OK(b, e2e.Build(b.Context(), root, dir, arch, name))
			info := harness.Must(os.Stat(e2e.Binary(dir, name)))(b)
			fmt.Fprintf(&sizes, "; %s %.2f MB", arch, float64(info.Size())/1e6)
		}
		poll, answer := quantiles(taken[name].poll), quantiles(taken[name].answer)
		b.Logf("%s: first poll %s; first event %s%s", name, poll, answer, sizes.String())
	}
}

// quantiles are the 10th, 50th and 90th percentile of some times.
func quantiles(times []time.Duration) string {
	slices.Sort(times)
	at := func(part float64) float64 {
		return float64(times[int(part*float64(len(times)-1)+0.5)]) / float64(time.Millisecond)
	}
	return fmt.Sprintf("p10 %.2f, median %.2f, p90 %.2f ms", at(0.1), at(0.5), at(0.9))
}
