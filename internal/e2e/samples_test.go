package e2e_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

var update = flag.Bool("update", false, "write the sample events anew")

// A sample is a file in events/ and what its function answers when the ones before it
// were answered.
type sample struct {
	name, function string
	event          []byte
	status         int // of the answer to a request
	says           []string
}

// samples are for trying Laurel out with sam local invoke: CONTRIBUTING.md.
var samples = []sample{
	{
		"report-activities", record, e2e.Request("POST", "/v1/activities", reportOf(`{"action":"like","target":"42"}`,
			`{"action":"comment","target":"42","ref":"c7"}`, `{"action":"like","target":"42"}`), e2e.User("ada")),
		http.StatusOK,
		[]string{
			`{"status":"counted","points":2,`, `{"status":"counted","points":3,`, `{"status":"duplicate","points":0,`,
			`"scores":{"day":5,"month":5}`,
		},
	},
	{
		"report-activities-service", record, e2e.Request("POST", "/v1/activities", reportOf(
			`{"user":"bob","action":"publish","target":"42"}`, `{"user":"bob","action":"like","target":"41"}`), e2e.Service),
		http.StatusOK,
		[]string{`"points":10,`, `"scores":{"day":12,"month":12}`},
	},
	{
		"queue-batch", record, e2e.Batch(time.Time{},
			e2e.Message{ID: "1-by-ada", Body: `{"action":"bookmark","target":"42"}`, Caller: e2e.User("ada")},
			e2e.Message{ID: "2-by-a-program", Body: reportOf(`{"user":"bob","action":"comment","target":"41","ref":"c8"}`,
				`{"user":"cleo","action":"steps","value":8200}`)},
			e2e.Message{ID: "3-by-ada-for-bob", Body: `{"user":"bob","action":"like","target":"44"}`, Caller: e2e.User("ada")},
			e2e.Message{ID: "4-by-the-service", Body: `{"user":"dora","action":"follow","target":"ada"}`, Caller: e2e.Service},
			e2e.Message{ID: "5-erasure", Body: `{"erase":"ivo"}`}),
		0,
		[]string{`{"batchItemFailures":[{"itemIdentifier":"3-by-ada-for-bob"}]}`},
	},
	{
		"put-users", record, e2e.Request("PUT", "/v1/users",
			`{"users":[{"id":"ada","name":"Ada Byron","link":"https://forum.example/u/ada"},{"id":"bob","name":"Bob"}]}`,
			e2e.Service),
		http.StatusOK,
		[]string{`{"users":[{"id":"ada","name":"Ada Byron",`},
	},
	{
		"read-board", query, e2e.Request("GET", "/v1/boards/{board=activity}/{window=month}?limit=2", "", nobody),
		http.StatusOK,
		[]string{
			`"total":3`,
			`"user":{"id":"bob","name":"Bob"}},{"rank":2,"score":7,"reachedAt":"`,
		},
	},
	{
		"read-standing", query, e2e.Request("GET", "/v1/boards/{board=activity}/{window=month}/users/{user=ada}?around=1", "",
			nobody),
		http.StatusOK,
		[]string{`"standing":{"user":{"id":"ada"`},
	},
	{
		"post-article", record, e2e.Request("POST", "/v1/articles",
			`{"id":"43","title":"Go 1.26 is released","author":{"id":"finn"},"groups":["go","news"]}`, e2e.Service),
		http.StatusCreated,
		[]string{`{"id":"43","title":"Go 1.26 is released",`, `"votes":1,`, `"votingOpen":true`},
	},
	{"nightly", archive, []byte("{}\n"), 0, []string{`"moved":[`, `"left":[]`}},
}

// check holds an answer against the sample's.
func (s sample) check(tb testing.TB, text []byte) {
	tb.Helper()
	said := string(text)
	if s.status != 0 {
		var a answer
		if err := json.Unmarshal(text, &a); err != nil || a.Status != s.status {
			tb.Errorf("%s is answered with %s, %v; want %d", s.name, text, err, s.status)
		}
		said = a.Body
	}
	for _, part := range s.says {
		if !strings.Contains(said, part) {
			tb.Errorf("the answer to %s has no %s: %s", s.name, part, said)
		}
	}
}

// The sample events are what AWS sends, and their functions answer them.
func TestSampleEvents(t *testing.T) {
	t.Parallel()
	f := newForum(t, "FORUM_TIMEZONE=UTC")
	started := map[string]*e2e.Function{record: f.record, query: f.query, archive: f.start(archive)}
	var files []string
	for _, s := range samples {
		path := filepath.Join(root, "events", s.name+".json")
		files = append(files, path)
		if *update {
			harness.OK(t, os.WriteFile(path, s.event, 0o600))
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(text, s.event) {
			t.Errorf("%s is not what go test ./internal/e2e -run Sample -update writes, %v", path, err)
		}
		var event any = new(events.APIGatewayV2HTTPRequest)
		if s.name == "queue-batch" {
			event = new(events.SQSEvent)
		}
		strict := json.NewDecoder(bytes.NewReader(s.event))
		strict.DisallowUnknownFields()
		if err := strict.Decode(event); err != nil && s.name != "nightly" {
			t.Errorf("%s: %v", s.name, err)
		}
		answer, err := started[s.function].Invoke(t.Context(), s.event)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		s.check(t, answer)
	}
	found, err := filepath.Glob(filepath.Join(root, "events", "*.json"))
	slices.Sort(files)
	if err != nil || !slices.Equal(found, files) {
		t.Errorf("events/ has %q, %v; want %q", found, err, files)
	}
}
