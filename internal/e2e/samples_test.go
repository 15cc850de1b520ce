package e2e_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

// A sample is a file in samples/ and the answer of its function after the answers to the samples before it.
type sample struct {
	name, function string
	status         int // of the answer to a request
	says           []string
}

// samples are for trying Laurel out with sam local invoke: CONTRIBUTING.md.
var samples = []sample{
	{"report-activities", record, http.StatusOK, []string{
		`{"status":"counted","points":2,`, `{"status":"counted","points":3,`, `{"status":"duplicate","points":0,`,
		`"scores":{"day":5,"month":5}`,
	}},
	{"report-activities-service", record, http.StatusOK, []string{`"points":10,`, `"scores":{"day":12,"month":12}`}},
	{"queue-batch", record, 0, []string{`{"batchItemFailures":[{"itemIdentifier":"3-by-ada-for-bob"}]}`}},
	{"put-users", record, http.StatusOK, []string{`{"users":[{"id":"ada","name":"Ada Byron",`}},
	{"read-board", query, http.StatusOK, []string{
		`"total":3`, `"user":{"id":"bob","name":"Bob"}},{"rank":2,"score":7,"reachedAt":"`,
	}},
	{"read-standing", query, http.StatusOK, []string{`"standing":{"user":{"id":"ada"`}},
	{"post-article", record, http.StatusCreated, []string{
		`{"id":"43","title":"Go 1.26 is released",`, `"votes":1,`, `"votingOpen":true`,
	}},
	{"nightly", archive, 0, []string{`"moved":[`, `"left":[]`}},
}

// event returns the contents of the file.
func (s sample) event(tb testing.TB) []byte {
	tb.Helper()
	return harness.Must(os.ReadFile(filepath.Join(root, "samples", s.name+".json")))(tb)
}

// check compares an answer with the sample's.
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

// The sample events are in AWS's form, and their functions answer them.
func TestSampleEvents(t *testing.T) {
	t.Parallel()
	f := newForum(t, "FORUM_TIMEZONE=UTC")
	started := map[string]*e2e.Function{record: f.record, query: f.query, archive: f.start(archive)}
	var files []string
	for _, s := range samples {
		files = append(files, filepath.Join(root, "samples", s.name+".json"))
		var event any = new(events.APIGatewayV2HTTPRequest)
		if s.name == "queue-batch" {
			event = new(events.SQSEvent)
		}
		strict := json.NewDecoder(bytes.NewReader(s.event(t)))
		strict.DisallowUnknownFields()
		if err := strict.Decode(event); err != nil && s.name != "nightly" {
			t.Errorf("%s: %v", s.name, err)
		}
		s.check(t, harness.Must(started[s.function].Invoke(t.Context(), s.event(t)))(t))
	}
	found, err := filepath.Glob(filepath.Join(root, "samples", "*.json"))
	slices.Sort(files)
	if err != nil || !slices.Equal(found, files) {
		t.Errorf("samples/ has %q, %v; want %q", found, err, files)
	}
}
