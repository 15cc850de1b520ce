package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/redisstore"
)

// waiting keeps what is pending, or fails.
type waiting struct {
	kept []string
	err  error
}

// WritePending keeps activities.
func (w *waiting) WritePending(_ context.Context, arrival board.Moment, acts []activity.Activity) error {
	for _, a := range acts {
		w.kept = append(w.kept, fmt.Sprint(arrival, " ", a.User, " ", a.Action, " ", a.Target, " ", a.At))
	}
	return w.err
}

// While Redis is unavailable the forum's own activities are kept and accepted; a user's are
// refused, and so is everything when they cannot be kept.
func TestActivitiesArePendingWithoutRedis(t *testing.T) {
	t.Parallel()
	server, pending := testserver.OwnRedis(t), &waiting{}
	f := harness.NewForum(t, harness.Setup{Redis: server.Client()})
	f.Serve(func(o *httpapi.Options) { o.Pending = pending })
	if answer := f.Get("/v1/boards/activity/day", ""); answer.Status != http.StatusOK { // it knows the stamp then
		t.Fatal(answer.Status)
	}
	server.Stop()
	const body = `{"activities":[{"user":"ann","action":"like","target":"a1"},` +
		`{"user":"bob","action":"visit","target":"a2","at":"2026-11-20T09:00:00Z"}]}`
	f.Says(f.Post(f.Service(), body), http.StatusAccepted, `{"pending":2}`)
	arrived := board.MomentOf(f.Now).String()
	want := []string{
		arrived + " ann like a1 " + arrived, arrived + " bob visit a2 " + harness.At(t, "2026-11-20T09:00").String(),
	}
	if diff := cmp.Diff(want, pending.kept); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	for name, answer := range map[string]harness.Answer{
		"a user's":    f.Post(f.User("ann"), `{"activities":[{"action":"like","target":"a1"}]}`),
		"a violation": f.Post(f.Service(), `{"activities":[{"user":"ann","action":"lick","target":"a1"}]}`),
		"a page":      f.Get("/v1/boards/activity/day", ""),
	} {
		if want := map[bool]int{true: 422, false: 503}[name == "a violation"]; answer.Status != want {
			t.Errorf("%s: %d, want %d", name, answer.Status, want)
		}
	}
	pending.err = errors.New("down")
	if answer := f.Post(f.Service(), body); answer.Status != http.StatusServiceUnavailable {
		t.Errorf("when they cannot be kept: %d", answer.Status)
	}
}

// stamps say what a test wants.
type stamps struct {
	ready error
	stale func() bool
}

// Ready returns the error of the test.
func (s *stamps) Ready(context.Context) error { return s.ready }

// Stale asks the test about a failure of the stamp.
func (s *stamps) Stale(_ context.Context, failed error) bool {
	return errors.Is(failed, redisstore.ErrStamp) && s.stale()
}

// Promise 9: a Redis without its stamp answers nothing but that it is being filled; what
// needs no store is answered; and an operation that met another stamp than was expected is
// done again when that is the right one.
func TestPromise9RequestsRefuseWithoutStamp(t *testing.T) {
	t.Parallel()
	stamp := redisstore.Stamp{Format: redisstore.Format, Shards: 1, Zone: "UTC", Generation: 5}
	asked := 0
	s := &stamps{stale: func() bool { asked++; return false }}
	f := harness.NewForum(t, harness.Setup{})
	f.Serve(func(o *httpapi.Options) { o.Stamps = s })
	f.Store.Redis().Expect(&stamp)
	paths := []string{"/v1/boards/activity/day", "/v1/boards/activity/day/users/ann", "/v1/articles", "/v1/groups"}
	for _, path := range paths {
		answer := f.Get(path, "")
		if answer.Status != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") != "30" {
			t.Errorf("%s: %d, Retry-After %q", path, answer.Status, answer.Header.Get("Retry-After"))
		}
	}
	if asked != len(paths) {
		t.Errorf("asked %d times whether the stamp is stale", asked)
	}
	health := f.Get("/v1/health", "")
	f.Says(health, http.StatusServiceUnavailable, `{"status":"unavailable","stores":{"redis":"unavailable"}}`)
	if answer := f.Get("/v1/rules", ""); answer.Status != http.StatusOK {
		t.Errorf("rules: %d", answer.Status)
	}
	f.Store.Redis().Expect(nil)
	if err := f.Store.Redis().WriteStamp(t.Context(), stamp); err != nil {
		t.Fatal(err)
	}
	f.Store.Redis().Expect(&redisstore.Stamp{Generation: 4})
	s.stale = func() bool { f.Store.Redis().Expect(&stamp); return true }
	answer := f.Post(f.User("ann"), `{"activities":[{"action":"like","target":"a1"}]}`)
	if answer.Status != http.StatusOK {
		t.Errorf("with a stamp that is known now: %d", answer.Status)
	}
	s.ready = fmt.Errorf("%w: another zone", redisstore.ErrStamp)
	if answer := f.Get(paths[0], ""); answer.Status != http.StatusServiceUnavailable {
		t.Errorf("in another zone: %d", answer.Status)
	}
}
