package endtoend_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Of a hundred messages those that are bad fail, each by itself and with its reason
// in the log. The others are counted, and once: also when the batch comes again.
func TestBadMessagesFailAlone(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	taking, asking := f.start(t, record), f.start(t, query)
	bad := map[int]string{17: `{"user":"u1","action":"lick","target":"a"}`, 42: `{"activities":[`, 99: `{"user":"u2","action":"like"}`}
	var batch []message
	points := map[string]int{}
	for i := range 100 {
		m := message{id: "m" + strconv.Itoa(i), body: bad[i]}
		if m.body == "" {
			who := "u" + strconv.Itoa(i%7)
			m.body = fmt.Sprintf(`{"user":%q,"action":"like","target":"a%d"}`, who, i)
			points[who] += 2
			if i%10 == 0 { // several in one
				m.body = fmt.Sprintf(`{"activities":[%s,{"user":%q,"action":"bookmark","target":"a%d"}]}`, m.body, who, i)
				points[who] += 2
			}
		}
		batch = append(batch, m)
	}
	event := sqsEvent(t, time.Now().Add(-time.Minute), batch...)
	for range 2 {
		if diff := cmp.Diff([]string{"m17", "m42", "m99"}, slices.Sorted(slices.Values(deliver(t, taking, event)))); diff != "" {
			t.Fatalf("failures (-want +got):\n%s", diff)
		}
		b := boardOf(t, asking, "day")
		if b.Total != len(points) {
			t.Errorf("the board: %s", b)
		}
		for _, e := range b.Entries {
			if e.Score != points[e.User.ID] {
				t.Errorf("%s has %d points, not %d", e.User.ID, e.Score, points[e.User.ID])
			}
		}
	}
	for _, id := range []string{"m17", "m42", "m99"} {
		if !strings.Contains(taking.Stdout(), `"`+id+`"`) {
			t.Errorf("the log does not say why %s failed", id)
		}
	}
	for _, metric := range []string{`"QueueMessages":100`, `"QueueFailures":3`, `"ActivitiesCounted":107`} {
		if !strings.Contains(taking.Stdout(), metric) {
			t.Errorf("the log has no metric %s", metric)
		}
	}
	f.audit(t)
}

// A message with a sub is that user's and no one else's; one that says no moment
// happened when it was sent; what came over HTTP is known here too.
func TestMessagesAreReports(t *testing.T) {
	t.Parallel()
	f := newForum(t)
	taking, asking := f.start(t, record), f.start(t, query)
	if diff := cmp.Diff([]string{"counted 2"}, report(t, taking, user("ann"), `{"action":"like","target":"a1"}`)); diff != "" {
		t.Fatal(diff)
	}
	sent := f.now.Add(-24 * time.Hour)
	failed := deliver(t, taking, sqsEvent(t, sent,
		message{id: "again", sub: "ann", body: fmt.Sprintf(`{"action":"like","target":"a1","at":%q}`, f.now.Format(time.RFC3339))},
		message{id: "mine", sub: "bob", body: `{"activities":[{"action":"like","target":"a1"},{"action":"bookmark","target":"a1"}]}`},
		message{id: "another's", sub: "bob", body: `{"user":"ann","action":"like","target":"a9"}`},
		message{id: "not for users", sub: "bob", body: `{"action":"publish","target":"a9"}`},
		message{id: "nobody's", body: `{"action":"like","target":"a9"}`},
	))
	slices.Sort(failed)
	// A user's own token does not set the moment, over HTTP or the queue.
	if diff := cmp.Diff([]string{"again", "another's", "nobody's", "not for users"}, failed); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if b := boardOf(t, asking, "day?period="+sent.Format(time.DateOnly)); b.String() != "1 bob 4" {
		t.Errorf("the day of sending: %s", b)
	}
	if b := boardOf(t, asking, "day"); b.String() != "1 ann 2" {
		t.Errorf("today: %s", b)
	}
	r := ask(t, asking, http.MethodGet, "/v1/users/bob/activity?days=2", "", user("bob"))
	if r.status != http.StatusOK || !strings.Contains(r.body, `"bookmark":{"count":1,"points":2}`) {
		t.Errorf("%+v", r)
	}
	f.audit(t)
}
