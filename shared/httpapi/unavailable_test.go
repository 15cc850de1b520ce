package httpapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/codec"
	"laurel/shared/httpapi"
	"laurel/shared/ledger"
	"laurel/shared/pages"
	"laurel/shared/redisstore"
)

// Promise 10: of a report about users of whom one has a damaged page, the others are
// recorded; that user's activities are kept if the forum reports them, and the log has no id.
func TestPromise10OneDamagedPageIsOneUsers(t *testing.T) {
	t.Parallel()
	f, pending := harness.NewForum(t, harness.Setup{}), &waiting{}
	f.Serve(func(o *httpapi.Options) { o.Pending = pending })
	var likes []string
	for i := range 8 {
		likes = append(likes, fmt.Sprintf(`{"user":"user-%d","action":"like","target":"a1"}`, i))
	}
	if a := f.Post(f.Service(), harness.Report(likes...)); strings.Count(a.Body, `"counted"`) != 8 {
		t.Fatal(a.Body)
	}
	damage := func(value any) {
		t.Helper()
		if err := f.Redis.HSet(t.Context(), redisstore.PagesKey(0, "user-3"), "2026-11", value).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for n, value := range []string{"\x05rubbish", ""} {
		damage(value)
		for i := range likes {
			likes[i] = fmt.Sprintf(`{"user":"user-%d","action":"like","target":"b%d"}`, i, n)
		}
		a := f.Post(f.Service(), harness.Report(likes...))
		if strings.Count(a.Body, `"counted"`) != 7 || strings.Count(a.Body,
			`{"status":"unavailable","points":0,"board":"activity","day":"2026-11-20"}`) != 1 {
			t.Errorf("with %q: %s", value, a.Body)
		}
		if len(pending.kept) != n+1 || !strings.Contains(pending.kept[n], fmt.Sprintf("user-3 like b%d", n)) {
			t.Errorf("kept: %q", pending.kept)
		}
	}
	damage("\x05rubbish")
	a := f.Post(f.User("user-3"), harness.Report(`{"action":"like","target":"c"}`))
	if len(pending.kept) != 2 || !strings.Contains(a.Body, `"unavailable"`) {
		t.Errorf("a user's own: %s, kept %q", a.Body, pending.kept)
	}
	if answer := f.Get("/v1/users/user-3/activity", f.Service()); answer.Status != http.StatusInternalServerError {
		t.Errorf("reads of the damaged page: %d", answer.Status)
	}
	for _, path := range []string{
		"/v1/users/user-2/activity", "/v1/users/user-2/standings", "/v1/users/user-3/standings",
		"/v1/boards/activity/day?user=user-3", "/v1/boards/activity/day/users/user-2/friends",
	} {
		if answer := f.Get(path, f.Service()); answer.Status != http.StatusOK {
			t.Errorf("%s: %d", path, answer.Status)
		}
	}
	if log := f.Out.String(); strings.Contains(log, "user-3") ||
		!strings.Contains(log, fmt.Sprintf("%016x", codec.Hash("user-3"))) {
		t.Errorf("the log names the user otherwise than by a hash: %s", log)
	}
}

// Whoever finds others first too often is told so alone; a report of nobody else is 503.
func TestPromise10OthersFirstTouchOneUser(t *testing.T) {
	t.Parallel()
	f := open(t)
	busy := pages.Result{Err: errors.Join(redisstore.ErrBusy)}
	counted := pages.Result{Receipt: ledger.Receipt{Status: ledger.Counted}}
	for status, results := range map[int][]pages.Result{
		http.StatusOK: {counted, busy}, http.StatusServiceUnavailable: {busy, busy},
	} {
		f.Serve(func(o *httpapi.Options) { o.Store = odd{results: results} })
		a := f.Post(f.User("ann"), list(like, like))
		if a.Status != status || strings.Contains(a.Body, `"status":"unavailable"`) != (status == http.StatusOK) {
			t.Errorf("%d: %s, want %d", a.Status, a.Body, status)
		}
	}
}
