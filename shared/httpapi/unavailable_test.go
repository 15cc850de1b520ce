package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/internal/harness"
)

// Promise 10: of a report about users of whom one has a damaged ledger, the others are
// recorded, that user's activities are unavailable, and the log has no id.
func TestPromise10OneDamagedLedgerIsOneUsers(t *testing.T) {
	t.Parallel()
	f := open(t)
	var likes []string
	for i := range 8 {
		likes = append(likes, fmt.Sprintf(`{"user":"user-%d","action":"like","target":"a1"}`, i))
	}
	if a := f.Post(f.Service(), harness.Report(likes...)); strings.Count(a.Body, `"counted"`) != 8 {
		t.Fatal(a.Body)
	}
	mend := f.Damage("user-3")
	for i := range likes {
		likes[i] = fmt.Sprintf(`{"user":"user-%d","action":"like","target":"b"}`, i)
	}
	const unavailable = `{"status":"unavailable","points":0,"board":"activity","day":"2026-11-20"}`
	a := f.Post(f.Service(), harness.Report(likes...))
	if strings.Count(a.Body, `"counted"`) != 7 || strings.Count(a.Body, unavailable) != 1 {
		t.Error(a.Body)
	}
	f.Says(f.Post(f.User("user-3"), list(like)), http.StatusOK, `{"receipts":[`+unavailable+`]}`)
	if answer := f.Get("/v1/users/user-3/activity", f.Service()); answer.Status != http.StatusInternalServerError {
		t.Errorf("reads of the damaged ledger: %d", answer.Status)
	}
	for _, path := range []string{
		"/v1/users/user-2/activity", "/v1/users/user-2/standings", "/v1/users/user-3/standings",
		"/v1/boards/activity/day?user=user-3", "/v1/boards/activity/day/users/user-2/friends",
	} {
		if answer := f.Get(path, f.Service()); answer.Status != http.StatusOK {
			t.Errorf("%s: %d", path, answer.Status)
		}
	}
	if log := f.Out.String(); strings.Contains(log, "user-3") || !strings.Contains(log, "activities are unavailable") {
		t.Errorf("the log: %s", log)
	}
	mend()
	f.Shows(today+"?limit=1&offset=7", "", `[{"rank":8,"score":2,"user":{"id":"user-3"}}]`)
}
