//go:build sam

package samtest_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A sample is what the function says to a sample event: an answer to HTTP when there
// is a status.
type sample struct {
	function string
	status   int
	says     []string // in its answer's body, or in its result
}

// samples are what every file in events/ comes to, in this order from top to bottom.
var samples = []struct {
	name string
	sample
}{
	{"report-activities", sample{"RecordFunction", 200, []string{
		`{"status":"counted","points":2,`, `{"status":"counted","points":3,`, `{"status":"duplicate","points":0,`, `"scores":{"day":5,"month":5}`,
	}}},
	{"report-activities-service", sample{"RecordFunction", 200, []string{`"points":10,`, `"scores":{"day":12,"month":12}`}}},
	{"queue-batch", sample{"RecordFunction", 0, []string{`{"batchItemFailures":[{"itemIdentifier":"3-by-ada-for-bob"}]}`}}},
	{"put-users", sample{"RecordFunction", 200, []string{`{"users":[{"id":"ada","name":"Ada Byron",`}}},
	{"read-board", sample{"QueryFunction", 200, []string{
		`"total":3`, `{"rank":1,"score":15,"user":{"id":"bob","name":"Bob"}},{"rank":2,"score":7,"user":{"id":"ada","name":"Ada Byron",`,
	}}},
	{"read-standing", sample{"QueryFunction", 200, []string{`"standing":{"user":"ada","rank":2,"score":7,`}}},
	{"post-article", sample{"RecordFunction", 201, []string{`{"id":"43","title":"Go 1.26 is released",`, `"votes":1,`, `"votingOpen":true`}}},
	{"nightly", sample{"ArchiveFunction", 0, []string{`"moved":[]`, `"failed":[]`}}},
}

func everySampleEventIsAnswered(t *testing.T, s *stack) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.root, "events", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, file := range files {
		missing[strings.TrimSuffix(filepath.Base(file), ".json")] = true
	}
	for _, sample := range samples {
		delete(missing, sample.name)
		t.Run(sample.name, func(t *testing.T) {
			event, err := os.ReadFile(filepath.Join(s.root, "events", sample.name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if sample.name == "nightly" {
				event = nightly() // its own time may be one that has not come yet
			}
			sample.check(t, s.invoke(t, sample.function, event))
		})
	}
	if len(missing) > 0 {
		t.Errorf("nobody says what comes of %v", slices.Sorted(maps.Keys(missing)))
	}
	want := map[string]int64{"bob": 15, "ada": 7, "dora": 2}
	if diff := cmp.Diff(want, s.scores(t, "activity")); diff != "" {
		t.Errorf("stored in Redis (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int64{"cleo": 8200}, s.scores(t, "steps")); diff != "" {
		t.Errorf("stored in Redis (-want +got):\n%s", diff)
	}
}

func (sample sample) check(t *testing.T, result []byte) {
	t.Helper()
	said := string(result)
	if sample.status != 0 {
		answer := httpAnswer(t, result)
		if answer.StatusCode != sample.status {
			t.Errorf("got %d, want %d: %s", answer.StatusCode, sample.status, answer.Body)
		}
		said = answer.Body
	}
	for _, words := range sample.says {
		if !strings.Contains(said, words) {
			t.Errorf("it does not say %s: %s", words, said)
		}
	}
}

// An answer is what a function gives to API Gateway, payload 2.0.
type answer struct {
	StatusCode int               `json:"statusCode"`
	Headers    map[string]string `json:"headers"`
	Body       string            `json:"body"`
}

func httpAnswer(t *testing.T, result []byte) (a answer) {
	t.Helper()
	if err := json.Unmarshal(result, &a); err != nil {
		t.Fatalf("%v: %s", err, result)
	}
	return a
}

// invoke has sam run a function with an event, once, and returns what it gave.
func (s *stack) invoke(t *testing.T, function string, event []byte) []byte {
	t.Helper()
	cmd := s.command(t, s.root, s.native, s.local("local", "invoke", function, "--event", "-")...)
	cmd.Stdin = bytes.NewReader(event)
	output, complaints := s.run(t, cmd)
	var result bytes.Buffer // without the blanks that sam adds to some
	if err := json.Compact(&result, output); err != nil {
		t.Fatalf("%s gave no JSON: %v: %s\n%s", function, err, output, complaints)
	}
	return result.Bytes()
}
