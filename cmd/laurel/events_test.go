package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
)

// received are the events that a server has taken: ids by what they tell, in the order of their first coming.
type received struct {
	*testing.T
	mu    sync.Mutex
	ids   map[string]string
	first []string
	all   int
}

func (r *received) ServeHTTP(_ http.ResponseWriter, q *http.Request) {
	b := harness.Event(r, q)
	r.mu.Lock()
	defer r.mu.Unlock()
	what, id := b.Type+" "+b.Data.Period, q.Header.Get("webhook-id")
	if r.all++; r.ids[what] == "" {
		r.ids[what], r.first = id, append(r.first, what)
	}
	if r.ids[what] != id || len(b.Data.Entries) != 1 || *b.Data.Entries[0].User.ID != "ann" {
		r.Errorf("%s has the id %s, and had %s: %+v", what, id, r.ids[what], b)
	}
}

func (r *received) place(what string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, of := range r.first {
		if of == what {
			return i
		}
	}
	return -1
}

func (r *received) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all
}

// Every event of a forum whose server is killed each day arrives, that a day has ended before that it is final.
func TestEventsSurviveKills(t *testing.T) {
	t.Parallel()
	r, folder := &received{T: t, ids: map[string]string{}}, t.TempDir()
	receiver := httptest.NewServer(r)
	t.Cleanup(receiver.Close)
	rules := strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(string(activity.Default().JSON()), `["day", "month"]`,
		`["day"]`)), "}") + `, "events": [{"name": "test", "url": "` + receiver.URL + `",
		"types": ["period.ended", "period.final"]}]}`
	if err := os.WriteFile(filepath.Join(folder, "rules.json"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "EVENT_SECRETS=test="+harness.EventSecret, "LAUREL_TEST_TICK=20ms")
	day, days := time.Date(2026, time.October, 1, 0, 3, 0, 0, time.UTC), []string{}
	run := func() *server {
		return start(t, folder, env, "dev", "--data", "table", "--rules", "rules.json", "--events-private", "--now",
			day.Format(time.RFC3339))
	}
	publish := func(s *server) {
		_, bearer := s.ask(t, http.MethodGet, "/dev/token?scope=laurel/service", "", "")
		status, text := s.ask(t, http.MethodPost, "/v1/activities", strings.TrimSpace(bearer), fmt.Sprintf(
			`{"activities":[{"action":"publish","user":"ann","target":"a%d"}]}`, day.YearDay()))
		if status != http.StatusOK {
			t.Fatal(status, text)
		}
	}
	for begun := false; !begun; day = day.AddDate(0, 0, 1) { // nothing is told of days before the first tick
		s := run()
		publish(s)
		for end := time.Now().Add(2 * time.Second); !begun && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			begun = r.count() > 0
		}
		s.stop(os.Kill)
	}
	for range testserver.Times(5, 40) {
		s := run()
		publish(s)
		days = append(days, day.Format(time.DateOnly))
		time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
		s.stop(os.Kill)
		day = day.AddDate(0, 0, 1)
	}
	day = day.AddDate(0, 0, 4)
	run()
	for _, of := range days {
		ended, final := -1, -1
		for end := time.Now().Add(20 * time.Second); final < 0 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			ended, final = r.place("period.ended "+of), r.place("period.final "+of)
		}
		if ended < 0 || final < ended {
			t.Errorf("%s has ended at %d, is final at %d", of, ended, final)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t.Logf("%d events arrived %d times", len(r.first), r.all)
}
