package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/e2e"
	"laurel/internal/harness"
	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/events"
	"laurel/shared/forum/night"
)

const eventSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// A receiver is a forum's server: the bodies that were signed, by id.
type receiver struct {
	*testing.T
	mu    sync.Mutex
	asked int
	told  []string
}

// ServeHTTP fails at the first request.
func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	var b events.Body[events.Data]
	sent, _ := io.ReadAll(q.Body)
	secrets := signatures.Secrets{activity.StandardHooks: {eventSecret}}
	harness.OK(r, secrets.Verify(activity.StandardHooks, q.Header.Get, sent, time.Now()))
	harness.OK(r, json.Unmarshal(sent, &b))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked++; r.asked == 1 {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	var text strings.Builder
	text.WriteString(b.Type + " " + b.Data.Board + " " + b.Data.Period + ":")
	for _, e := range b.Data.Entries {
		caller := "nobody"
		if e.User.ID != nil {
			caller = *e.User.ID + " " + e.User.Name
		}
		fmt.Fprint(&text, " ", e.Rank, " ", caller, " ", e.Score)
	}
	r.told = append(r.told, text.String())
}

// A day ends: the nightly run writes events, and the function outside the network, which has no cache, sends them,
// and repeats those that were not accepted. A user who is erased before that is in none.
func TestEventsAreSent(t *testing.T) {
	t.Parallel()
	r := &receiver{T: t}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	rules := strings.TrimSuffix(strings.TrimSpace(string(activity.Default().JSON())), "}") + `, "events": [
		{"name": "badges", "url": "` + server.URL + `", "types": ["period.ended", "period.final"]}]}`
	f := newForum(t, "HOT_DAYS=0", "RULES="+rules, "EVENTS_PRIVATE=true", "EVENT_SECRETS=badges="+eventSecret)
	moment, suffix, _ := f.yesterday()
	f.expect(e2e.Service, "PUT /v1/users/bob", `{"name":"Bob"}`, http.StatusOK)
	f.report("counted 10, counted 2, counted 2", `{"user":"bob","action":"publish","target":"a1"`+suffix,
		`{"user":"ann","action":"like","target":"a2"`+suffix, `{"user":"cat","action":"like","target":"a2"`+suffix)
	nights := f.app().Nights()
	harness.OK(t, night.BeginEvents(t.Context(), nights, board.DateOf(moment.AddDate(0, 0, -1).Date())))
	f.night()
	f.expect(e2e.Service, "DELETE /v1/users/ann", "", http.StatusAccepted)
	sender := f.start(eventing, "REDIS_URL=")
	send := func(want string) {
		t.Helper()
		if text, err := sender.Invoke(t.Context(), []byte(`{}`)); err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("the function answers %s, %v; want %s", text, err, want)
		}
	}
	send(`{"sent":0,"failed":1,`)
	for end := time.Now().Add(30 * time.Second); len(r.all()) == 0 && time.Now().Before(end); {
		time.Sleep(time.Second)
		send(`{"sent":`)
	}
	day := moment.Format(time.DateOnly)
	places := " activity " + day + ": 1 bob Bob 10 2 nobody 2 3 cat  2"
	want := []string{"period.ended" + places, "period.final" + places}
	if moment.Month() != f.now.Month() { // a month has ended with it, and is not final
		want = append(want, strings.Replace(want[0], day, day[:len("2026-11")], 1))
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(r.all()))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	send(`{"sent":0,"failed":0,`)
}

func (r *receiver) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.told
}
