package httpapi_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"laurel/shared/httpapi"
)

// Promise 7: nobody writes, or reads what is private, for somebody else.
func TestPromise7NobodyWritesForSomebodyElse(t *testing.T) {
	t.Parallel()
	f := open(t)
	if a := f.Post(f.Service(), list(`{"action":"like","target":"a1","user":"bob"}`)); a.Status != http.StatusOK {
		t.Fatal(a.Body)
	}
	before := f.State()
	tokens := map[string]string{"no token": "", "not a token": "ann", "nobody's": f.User(""), "half": "user."}
	for name, token := range tokens {
		for _, a := range []answer{
			f.Post(token, list(like)),
			f.Get("/v1/users/ann/standings", token),
			f.Get("/v1/users/ann/activity", token),
		} {
			if a.Problem(t); a.Status != http.StatusUnauthorized || a.Header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: status %d, %q: %s", name, a.Status, a.Header.Get("WWW-Authenticate"), a.Body)
			}
			if got := a.Header.Get("Cache-Control"); got != "private, no-store" {
				t.Errorf("%s: Cache-Control %q", name, got)
			}
		}
		// What is for all is for who has a bad token too.
		if a := f.Get("/v1/boards/activity/day", token); a.Status != http.StatusOK {
			t.Errorf("%s: the board says %d: %s", name, a.Status, a.Body)
		}
	}
	for name, c := range map[string]struct {
		token, path, body string
	}{
		"publishing is the service's":       {f.User("ann"), "", list(`{"action":"publish","target":"a1"}`)},
		"so is taking it back":              {f.User("ann"), "", list(`{"action":"unpublish","target":"a1"}`)},
		"another user's standings":          {f.User("ann"), "/v1/users/bob/standings", ""},
		"another user's activity":           {f.User("ann"), "/v1/users/bob/activity", ""},
		"another user whose id looks alike": {f.User("ann"), "/v1/users/Ann/activity", ""},
	} {
		a := f.Get(c.path, c.token)
		if c.body != "" {
			a = f.Post(c.token, c.body)
		}
		if a.Problem(t); a.Status != http.StatusForbidden || a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: status %d, %q: %s", name, a.Status, a.Header.Get("Cache-Control"), a.Body)
		}
	}
	if after := f.State(); !maps.Equal(before, after) {
		t.Error("something was applied")
	}
}

func TestUserReportsForThemself(t *testing.T) {
	t.Parallel()
	f := open(t)
	got := read[httpapi.Receipts](t, f.Post(f.User("ann"), list(
		like, like, `{"action":"follow","target":"ann"}`, `{"action":"steps","value":5e2}`,
		`{"action":"unlike","target":"a1"}`,
	)))
	var statuses []string
	for _, r := range got.Receipts {
		statuses = append(statuses, r.Status)
	}
	if want := "counted duplicate self counted revoked"; strings.Join(statuses, " ") != want {
		t.Errorf("receipts %q, want %q", statuses, want)
	}
	board := read[httpapi.Board](t, f.Get("/v1/boards/steps/day", ""))
	if len(board.Entries) != 1 || board.Entries[0].Score != 500 || board.Entries[0].User.ID != "ann" {
		t.Errorf("the board has %+v", board.Entries)
	}
	for _, path := range []string{"/v1/users/ann/standings", "/v1/users/ann/activity"} {
		a := f.Get(path, f.User("ann"))
		if a.Status != http.StatusOK || a.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
		if a := f.Get(path, f.Service()); a.Status != http.StatusOK {
			t.Errorf("%s: the service gets %d", path, a.Status)
		}
	}
}

func TestServiceReportsForAll(t *testing.T) {
	t.Parallel()
	f := open(t)
	var all []string
	for range 250 {
		all = append(all, at("2026-11-19T23:59:59.9999Z"), `{"action":"publish","target":"a1","user":"-9007199254740993"}`)
	}
	receipts := read[httpapi.Receipts](t, f.Post(f.Service(), list(all...))).Receipts
	if len(receipts) != 500 || receipts[0].Status != "counted" || receipts[0].Day != "2026-11-19" ||
		receipts[1].Points != 10 {
		t.Errorf("%d receipts, the first %+v", len(receipts), receipts[:2])
	}
	for _, r := range receipts[2:] {
		if r.Status != "duplicate" || r.Points != 0 {
			t.Fatalf("a repetition says %+v", r)
		}
	}
	old := read[httpapi.Receipts](t,
		f.Post(f.Service(), list(at("2026-11-18T11:59:59.999Z"), at("2026-11-20T12:05:00.001Z"),
			at("2026-11-18T12:00:00Z")))).Receipts
	if old[0].Status != "too_late" || old[0].Scores != nil || old[1].Status != "too_early" || old[1].Scores != nil ||
		old[2].Status == "too_late" {
		t.Errorf("receipts %+v", old)
	}
}
