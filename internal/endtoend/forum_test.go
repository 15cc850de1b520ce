package endtoend_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/runtimeapi"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	archives "laurel/shared/archive"
	"laurel/shared/archive/table"
	"laurel/shared/audit"
	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/live"
)

// A forum is a Redis and a table that are one test's own, and the functions on
// them.
type forum struct {
	redis       *redis.Client
	table       *archives.Archive
	now         time.Time // of the forum's zone, where it is about noon
	endpoint    string    // of the table's DynamoDB
	environment []string
	timeout     time.Duration // for an event, but a night; 0: ten seconds
}

// newForum makes a forum of the built-in rules; variables are more of its
// functions' environment, which goes before.
func newForum(t *testing.T, variables ...string) *forum {
	t.Helper()
	return forumOn(t, testserver.RedisURL(t), variables...)
}

// forumOn is newForum on a Redis that the test knows.
func forumOn(t *testing.T, url string, variables ...string) *forum {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	endpoint, name := testserver.Table(t)
	settings := table.Options{Name: name, Endpoint: endpoint}
	kept, err := table.Open(t.Context(), settings)
	if err != nil {
		t.Fatal(err)
	}
	now := noon(t)
	return &forum{
		redis: client, table: archives.New(kept), now: now, endpoint: settings.Endpoint,
		environment: append([]string{
			"REDIS_URL=" + url, "FORUM_TIMEZONE=" + now.Location().String(), "TABLE_NAME=" + settings.Name, "DYNAMODB_ENDPOINT=" + settings.Endpoint,
			"METRICS_NAMESPACE=Laurel",
		}, variables...),
	}
}

// noon is now, in a zone where no test meets midnight: the functions have the real
// clock.
func noon(t *testing.T) time.Time {
	t.Helper()
	now := time.Now().UTC()
	zone, err := time.LoadLocation(fmt.Sprintf("Etc/GMT%+d", now.Hour()-12)) // +1 is to the west
	if err != nil {
		t.Fatal(err)
	}
	return now.In(zone)
}

// start starts a function of the forum and checks, when the test ends, what it has
// logged.
func (f *forum) start(t *testing.T, name string, variables ...string) *runtimeapi.Function {
	t.Helper()
	return start(t, name, f.timeout, slices.Concat(f.environment, variables)...)
}

// start starts a function; it ends with the test.
func start(t *testing.T, name string, timeout time.Duration, variables ...string) *runtimeapi.Function {
	t.Helper()
	options := runtimeapi.Options{Binary: binary(t, name), Name: "laurel-" + name, Timeout: timeout, Environment: variables}
	if name == archive { // a night's work
		options.Timeout = 15 * time.Minute
	}
	function, err := runtimeapi.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		function.Stop()
		checkLog(t, name, function.Stdout())
		if t.Failed() && function.Stdout()+function.Stderr() != "" {
			t.Logf("%s printed\n%s%s", name, function.Stdout(), function.Stderr())
		}
	})
	return function
}

// checkLog checks that a function's log can be read by machines, line by line, and
// that nobody is a dimension of a metric: each value of one is paid for.
func checkLog(t *testing.T, name, log string) {
	t.Helper()
	for line := range strings.Lines(log) {
		var entry logEntry
		if err := json.Unmarshal([]byte(line), &entry); err != nil || line[0] != '{' {
			t.Errorf("%s: this line of its log is not a JSON object: %v\n%s", name, err, line)
			continue
		}
		if entry.AWS == nil {
			continue
		}
		for _, metrics := range entry.AWS.CloudWatchMetrics {
			if metrics.Namespace == "" || len(metrics.Metrics) == 0 {
				t.Errorf("%s: metrics without a namespace or a name: %s", name, line)
			}
			for _, dimension := range flat(metrics.Dimensions) {
				if lower := strings.ToLower(dimension); lower == "user" || lower == "sub" || strings.HasSuffix(lower, "id") {
					t.Errorf("%s: %s is a dimension: %s", name, dimension, line)
				}
			}
		}
	}
}

// A logEntry is what is looked at of a log's line; AWS has the names.
//
//nolint:tagliatelle // likewise
type logEntry struct {
	AWS *struct {
		CloudWatchMetrics []struct {
			Namespace  string     `json:"Namespace"`
			Dimensions [][]string `json:"Dimensions"`
			Metrics    []any      `json:"Metrics"`
		} `json:"CloudWatchMetrics"`
	} `json:"_aws"`
}

func flat(lists [][]string) (all []string) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// audit holds every board in Redis against the entries that it follows from.
func (f *forum) audit(t *testing.T) audit.Totals {
	t.Helper()
	l := ledger.New(activity.Default(), board.NewCalendar(f.now.Location()))
	auditor := &audit.Auditor{
		Store: audit.NewInspector(live.New(f.redis, l, 1).Redis()), Ledger: l,
		Report: func(finding audit.Finding) { t.Errorf("audit: %s", finding) },
	}
	totals, err := auditor.Run(t.Context())
	if err != nil {
		t.Error(err)
	}
	return totals
}

// keys are Redis's that have a part in their names.
func (f *forum) keys(t *testing.T, part string) []string {
	t.Helper()
	keys, err := f.redis.Keys(t.Context(), "*"+part+"*").Result()
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
