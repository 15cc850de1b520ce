package e2e_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel/shared/core/profile"

	"github.com/aws/aws-lambda-go/events"
	"github.com/redis/go-redis/v9"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/api/auth/token"
	"laurel/shared/api/httpapi"
	"laurel/shared/forum/catchup"
	"laurel/shared/run/app"
	"laurel/shared/store/table/dynamo"
	"laurel/shared/store/view/redisview"
)

const userSecret, serviceSecret = "the-users-secret-of-tests-of-32-bytes", "the-services-secret-of-tests-of-32-bytes"

// tokenOf is a token that a forum signed.
func tokenOf(secret, user string) string {
	text, err := token.Sign(secret, user, "laurel", time.Now().Add(time.Hour))
	if err != nil {
		panic(err) // the secrets above are too short
	}
	return text
}

// A forum is a Redis and a table of one test's own, and the functions on them.
type forum struct {
	t             testing.TB
	redis         *redis.Client
	table         dynamo.Options
	now           time.Time // in the forum's time zone, where it is about noon
	environment   []string
	record, query *e2e.Function
}

// newForum makes a forum with the built-in rules; variables are added to the
// functions' environment.
func newForum(tb testing.TB, variables ...string) *forum {
	tb.Helper()
	return forumOn(tb, testserver.RedisURL(tb), variables...)
}

// forumOn is newForum on a Redis that the test has.
func forumOn(tb testing.TB, url string, variables ...string) *forum {
	tb.Helper()
	options := harness.Must(redis.ParseURL(url))(tb)
	endpoint, name := testserver.Table(tb)
	f := &forum{
		t: tb, redis: redis.NewClient(options), table: dynamo.Options{Name: name, Endpoint: endpoint},
		now: noon(tb),
	}
	tb.Cleanup(func() { _ = f.redis.Close() })
	harness.Must(dynamo.Open(tb.Context(), f.table))(tb) // makes it
	f.environment = append([]string{
		"REDIS_URL=" + url, "FORUM_TIMEZONE=" + f.now.Location().String(), "METRICS_NAMESPACE=Laurel",
		"METRICS_SECONDS=0",
		"TABLE_NAME=" + f.table.Name, "DYNAMODB_ENDPOINT=" + f.table.Endpoint, "QUEUE_PRODUCERS=" + e2e.Producer,
		"USER_SECRETS=" + userSecret, "SERVICE_SECRETS=" + serviceSecret,
	}, variables...)
	begun := f.app()
	fill(tb, begun)
	harness.OK(tb, begun.Items.HistoryIsIn(tb.Context()))
	f.record, f.query = f.start(record), f.start(query)
	return f
}

// noon is now in a zone where no test meets midnight: the functions have the real
// clock.
func noon(tb testing.TB) time.Time {
	tb.Helper()
	now := time.Now().UTC()
	zone, err := time.LoadLocation(fmt.Sprintf("Etc/GMT%+d", now.Hour()-12)) // +1 is to the west
	harness.OK(tb, err)
	return now.In(zone)
}

// yesterday is a moment of yesterday, the suffix that gives an activity this moment,
// and the query of the day's board.
func (f *forum) yesterday() (moment time.Time, suffix, day string) {
	moment = f.now.Add(-24 * time.Hour)
	return moment, fmt.Sprintf(`,"at":%q}`, moment.Format(time.RFC3339)), "day?period=" + moment.Format(time.DateOnly)
}

// start starts a function of the forum; when the test ends, its log is checked.
func (f *forum) start(name string, variables ...string) *e2e.Function {
	f.t.Helper()
	table := "DYNAMODB_ENDPOINT=" + recorded(f.t, name, f.table.Endpoint)
	return start(f.t, name, slices.Concat(f.environment, []string{table}, variables)...)
}

// start starts a function; it ends with the test.
func start(tb testing.TB, name string, variables ...string) *e2e.Function {
	tb.Helper()
	timeout := map[string]time.Duration{archive: 15 * time.Minute}[name]
	function, err := e2e.Start(e2e.Options{
		Binary: binary(tb, name), Name: "laurel-" + name, Timeout: cmp.Or(timeout, time.Minute), Environment: variables,
	})
	harness.OK(tb, err)
	tb.Cleanup(func() {
		function.Stop()
		checkLog(tb, name, function.Stdout())
		if tb.Failed() {
			tb.Logf("%s printed\n%s%s", name, metrics.ReplaceAllString(function.Stdout(), ""), function.Stderr())
		}
	})
	return function
}

var metrics = regexp.MustCompile(`(?m)^.*"_aws".*\n`) // a function's lines of metrics

// userID finds the users of these tests, but within the names of messages.
var userID = regexp.MustCompile(`[^\w-](ann|bob|cat|dan|eve|finn|ivo|hid|mal)[^\w-]`)

var dimensions = regexp.MustCompile(`"Dimensions":\[(\[[^\]]*\],?)*\]`)

// checkLog checks that every line of a function's log is a JSON object, and that no
// metric has a user's id as a dimension: each value of a dimension is paid for. Nor has any
// line a user's id: lines at info are kept for months.
func checkLog(tb testing.TB, name, log string) {
	tb.Helper()
	for line := range strings.Lines(log) {
		if !json.Valid([]byte(line)) || line[0] != '{' {
			tb.Errorf("%s: this line of the log is not a JSON object: %s", name, line)
		}
		if id := userID.FindString(line); id != "" {
			tb.Errorf("%s: this line of the log has the user %s: %s", name, id, line)
		}
		if names := strings.ToLower(dimensions.FindString(line)); strings.Contains(names, `"user"`) ||
			strings.Contains(names, `"sub"`) || strings.Contains(names, `id"`) ||
			strings.Contains(line, `"_aws"`) && names == "" {
			tb.Errorf("%s: the dimensions %s: %s", name, names, line)
		}
	}
}

// night asks an archive function for a nightly run, which leaves nothing.
func (f *forum) night() {
	f.t.Helper()
	text, err := f.start(archive).Invoke(f.t.Context(), []byte(`{}`))
	if err != nil || !strings.Contains(string(text), `"left":[]`) {
		f.t.Errorf("the nightly run answers %s, %v", text, err)
	}
}

// app is another process on the forum's stores, with the functions' environment.
func (f *forum) app() *app.App {
	f.t.Helper()
	source := app.Environment(app.NeedRedis, app.NeedTable)
	source.Lookup = func(variable string) (text string, set bool) {
		for _, line := range f.environment { // the last one counts
			if name, value, _ := strings.Cut(line, "="); name == variable {
				text, set = value, true
			}
		}
		return text, set
	}
	c := harness.Must(app.Read(source))(f.t)
	items := harness.Must(dynamo.Open(f.t.Context(), f.table))(f.t)
	client := harness.Must(app.Dial(c))(f.t)
	f.t.Cleanup(func() { _ = client.Close() })
	return app.New(c, redisview.On(client), items, app.Defaults(c))
}

// fill fills the view, as the first tick does.
func fill(tb testing.TB, a *app.App) {
	tb.Helper()
	harness.Must(a.Catchup.Run(tb.Context(), catchup.Request{}))(tb)
}

// audit compares every board in Redis with the ledgers.
func (f *forum) audit() {
	f.t.Helper()
	done, err := f.app().Catchup.Run(f.t.Context(), catchup.Request{Audit: true})
	if err != nil || done.Differ+done.Damaged > 0 {
		f.t.Errorf("audit: %+v, %v", done, err)
	}
}

// An answer is a function's, to API Gateway.
type answer struct {
	Status int               `json:"statusCode"`
	Header map[string]string `json:"headers"`
	Body   string            `json:"body"`
}

// do sends a request, "GET /v1/groups", to the function that serves it.
func (f *forum) do(c e2e.Caller, request, body string) answer {
	f.t.Helper()
	method, address, _ := strings.Cut(request, " ")
	function := f.record
	if method == http.MethodGet {
		function = f.query
	}
	return do(f.t, function, e2e.Request(method, address, body, c))
}

func do(tb testing.TB, function *e2e.Function, event []byte) (a answer) {
	tb.Helper()
	text, err := function.Invoke(tb.Context(), event)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		tb.Errorf("%s\nanswered %s: %v", event, text, err)
	}
	return a
}

// expect sends a request and checks its status, and parts of the answer's body. A refusal has a problem as its body.
func (f *forum) expect(c e2e.Caller, request, body string, status int, says ...string) answer {
	f.t.Helper()
	a := f.do(c, request, body)
	problem := a.Header["Content-Type"] == "application/problem+json"
	ok := a.Status == status && problem == (status >= http.StatusBadRequest)
	for _, part := range says {
		ok = ok && strings.Contains(a.Body, part)
	}
	if !ok {
		f.t.Errorf("%s %s: %+v\nwant %d %q", request, body, a, status, says)
	}
	return a
}

// report sends activities of the service and checks their receipts: "counted 2, duplicate 0".
func (f *forum) report(want string, activities ...string) {
	f.t.Helper()
	var answer httpapi.Receipts
	a := f.do(e2e.Service, "POST /v1/activities", harness.Report(activities...))
	_ = json.Unmarshal([]byte(a.Body), &answer)
	var words []string
	for _, receipt := range answer.Receipts {
		words = append(words, fmt.Sprintf("%s %d", receipt.Status, receipt.Points))
	}
	if got := strings.Join(words, ", "); got != want || a.Status != http.StatusOK {
		f.t.Errorf("%s: %+v\nwant %s", activities, a, want)
	}
}

// board checks the board activity: "1 bob Bob 10, 2 cat 3", and " final" after it
// when it is final.
func (f *forum) board(address, want string) {
	f.t.Helper()
	f.list(e2e.Caller{}, "/v1/boards/activity/"+address, want)
}

// list checks the entries or articles of a list: each with its rank or id, user and score.
func (f *forum) list(c e2e.Caller, address, want string) {
	f.t.Helper()
	var answer struct {
		httpapi.Board
		Articles []httpapi.Article `json:"articles"`
	}
	a := f.expect(c, "GET "+address, "", http.StatusOK)
	_ = json.Unmarshal([]byte(a.Body), &answer)
	var lines []string
	line := func(first any, u profile.User, score int64) {
		name := "erased"
		if !u.Erased {
			name = strings.TrimSpace(*u.ID + " " + u.Name)
		}
		lines = append(lines, fmt.Sprint(first, " ", name, " ", score))
	}
	for _, e := range answer.Entries {
		line(e.Rank, *e.User, e.Score)
	}
	for _, a := range answer.Articles {
		line(a.ID, a.Author, a.Votes)
	}
	got := strings.Join(lines, ", ")
	if answer.Final {
		got += " final"
	}
	if got != want {
		f.t.Errorf("%s has %s\nwant %s", address, got, want)
	}
}

// deliver hands record a batch, of which no message may fail.
func (f *forum) deliver(batch []byte) {
	f.t.Helper()
	var answer events.SQSEventResponse
	text, err := f.record.Invoke(f.t.Context(), batch)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || len(answer.BatchItemFailures) > 0 {
		f.t.Errorf("the failures of the batch: %+v, %v", answer.BatchItemFailures, err)
	}
}

// erased makes ticks remove the rest of users who are being erased, until the erasure is reported as done.
func (f *forum) erased(ids ...string) {
	f.t.Helper()
	ticking, began := f.start(archive), time.Now()
	for _, id := range ids {
		for {
			f.tick(ticking)
			a := f.expect(e2e.Service, "GET /v1/users/"+id+"/erasure", "", http.StatusOK)
			if strings.Contains(a.Body, `"state":"done"`) {
				break
			}
			if time.Since(began) > time.Minute {
				f.t.Fatalf("the erasure of %s: %s", id, a.Body)
			}
			time.Sleep(2 * time.Second)
		}
	}
}

// tick asks the archive function for its regular run.
func (f *forum) tick(function *e2e.Function) {
	f.t.Helper()
	if text, err := function.Invoke(f.t.Context(), []byte(`{"task":"schedule"}`)); err != nil {
		f.t.Errorf("a tick: %s, %v", text, err)
	}
}
