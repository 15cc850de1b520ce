package e2e_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
	"laurel/internal/harness"
)

// memoryOfAProcessor is so many MB that Lambda gives a whole processor with them; less gives a share of it.
const memoryOfAProcessor = 1769

// deployed reads from template.yaml the memory of the function record, in MB, its time, and how often a message is
// delivered before it is a dead letter.
func deployed(tb testing.TB) (memory int, timeout time.Duration, receives int) {
	tb.Helper()
	template := harness.YAML(tb, filepath.Join(root, "template.yaml"))
	number := func(keys ...string) int { n, _ := harness.Below(template, keys...).(int); return n }
	return number("Mappings", "Sizes", "small", "FunctionMemory"),
		time.Duration(number("Resources", "RecordFunction", "Properties", "Timeout")) * time.Second,
		number("Resources", "ActivityQueue", "Properties", "RedrivePolicy", "maxReceiveCount")
}

// backlog is the largest legal batch: 100 messages of 500 likes, of so many users each. Message m's
// users are m-0, m-1, ...; they like different articles.
func backlog(users int) (messages []e2e.Message) {
	for m := range 100 {
		likes := make([]string, 500)
		for i := range likes {
			likes[i] = fmt.Sprintf(`{"action":"like","user":"%d-%d","target":"a%d"}`, m, i%users, i/users)
		}
		messages = append(messages, e2e.Message{ID: fmt.Sprint("m", m), Body: harness.Report(likes...)})
	}
	return messages
}

// deliveries delivers messages until none fails, as SQS does, and returns how many messages each
// delivery had.
func deliveries(tb testing.TB, function *e2e.Function, sent time.Time, messages []e2e.Message) (sizes []int) {
	tb.Helper()
	fruitless := 0 // in a row: a busy machine may have no time for the table
	for len(messages) > 0 {
		sizes = append(sizes, len(messages))
		text := harness.Must(function.Invoke(tb.Context(), e2e.Batch(sent, messages...)))(tb)
		var rest []e2e.Message
		for _, m := range messages {
			if strings.Contains(string(text), fmt.Sprintf(`"itemIdentifier":%q`, m.ID)) {
				rest = append(rest, m)
			}
		}
		if fruitless++; len(rest) < len(messages) {
			fruitless = 0
		}
		if fruitless == 5 {
			tb.Fatalf("all of %d messages fail:\n%s", len(rest), function.Stdout())
		}
		messages = rest
	}
	return sizes
}

// The largest batch that there can be is recorded with the memory, and with the CPU time that the function has in as
// many deliveries as a message gets. package queue's tests show the case without time for all of it.
func TestTheLargestBacklog(t *testing.T) {
	t.Parallel()
	memory, timeout, receives := deployed(t)
	f := newForum(t)
	function, err := e2e.Start(e2e.Options{
		Binary: binary(t, record), Name: "laurel-record", Timeout: timeout,
		Environment: append(f.environment, "GOGC=400"), // as in template.yaml
	})
	harness.OK(t, err)
	t.Cleanup(function.Stop)
	sizes := deliveries(t, function, f.now, backlog(20))
	function.Stop()
	used, peak := function.Used()
	most := timeout * time.Duration(receives) * time.Duration(memory) / memoryOfAProcessor
	t.Logf("deliveries of %d messages; CPU %s of %s, memory %d MB", sizes, used, most, peak)
	if used > most || peak > int64(memory*3/4) {
		t.Errorf("want at most %d MB", memory*3/4)
	}
	fill(t, f.app()) // as the next tick does, if there was no time to show all
	f.audit()
	for _, place := range []string{"0", "1999"} { // all have 50 points, or the first or the last has not
		f.expect(e2e.Caller{}, "GET /v1/boards/activity/month?limit=1&offset="+place, "", http.StatusOK,
			`"total":2000`, `"score":50`)
	}
}
