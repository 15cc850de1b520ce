package e2e_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/e2e"
)

// Of a hundred messages the bad ones fail, each by itself and with its reason in the
// log. The others are counted, and once: also when the batch comes again.
func TestBadMessagesFailAlone(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	bad := map[int]string{
		17: `{"user":"u1","action":"lick","target":"a"}`, 42: `{"activities":[`, 99: `{"user":"u2","action":"like"}`,
	}
	var messages []e2e.Message
	for i := range 100 {
		body := fmt.Sprintf(`{"user":"u%d","action":"like","target":"a%d"}`, i%7, i)
		if i%10 == 0 { // several activities
			body = reportOf(body, strings.Replace(body, "like", "bookmark", 1))
		}
		if bad[i] != "" {
			body = bad[i]
		}
		messages = append(messages, e2e.Message{ID: "m" + strconv.Itoa(i), Body: body})
	}
	batch := e2e.Batch(time.Now().Add(-time.Minute), messages...)
	for range 2 {
		f.deliver(batch, "m17", "m42", "m99")
		f.board("day", "1 u0 32, 2 u6 32, 3 u1 30, 4 u2 30, 5 u3 30, 6 u4 30, 7 u5 30")
	}
	for _, text := range []string{
		`"m17"`, `"m42"`, `"m99"`, `"QueueMessages":100`, `"QueueFailures":3`, `"ActivitiesCounted":107`,
	} {
		if !strings.Contains(f.record.Stdout(), text) {
			t.Errorf("the log has no %s", text)
		}
	}
	f.audit()
}

// A message through API Gateway is its caller's and nobody else's; one without a
// moment has that of sending; what came over HTTP is a duplicate here.
func TestMessagesAreReports(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	f.report(ann, "counted 2", `{"action":"like","target":"a1"}`)
	sent, _, day := f.yesterday()
	at := fmt.Sprintf(`,"at":%q}`, f.now.Format(time.RFC3339))
	f.deliver(e2e.Batch(sent,
		e2e.Message{ID: "again", Body: `{"user":"ann","action":"like","target":"a1"` + at},
		e2e.Message{
			ID: "bob's", Caller: bob,
			Body: reportOf(`{"action":"like","target":"a1"}`, `{"action":"bookmark","target":"a1"}`),
		},
		e2e.Message{ID: "f1: a moment of one's own", Caller: ann, Body: `{"action":"like","target":"a2"` + at},
		e2e.Message{ID: "f2: another's", Caller: bob, Body: `{"user":"ann","action":"like","target":"a9"}`},
		e2e.Message{ID: "f3: not for users", Caller: bob, Body: `{"action":"publish","target":"a9"}`},
		e2e.Message{ID: "f4: nobody's", Body: `{"action":"like","target":"a9"}`},
	), "f1: a moment of one's own", "f2: another's", "f3: not for users", "f4: nobody's")
	f.board(day, "1 bob 4")
	f.board("day", "1 ann 2")
	f.expect(bob, "GET /v1/users/bob/activity?days=2", "", http.StatusOK, `"bookmark":{"count":1,"points":2}`)
	f.audit()
}
