package httpapi_test

import (
	"encoding/base64"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel/shared/httpapi"
	"laurel/shared/httpapi/devtoken"
)

// forged are tokens that say who calls and must not be believed.
func forged(t *testing.T, f *forum) map[string]string {
	t.Helper()
	other, err := devtoken.New([]byte(strings.Repeat("x", 32)), func() time.Time { return noon })
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := other.Sign("ann", httpapi.ServiceScope, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	expired, err := f.tokens.Sign("ann", httpapi.ServiceScope, -time.Second)
	if err != nil {
		t.Fatal(err)
	}
	good := strings.Split(f.sign("ann", httpapi.ServiceScope), ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	claims := func(change func(jwt.MapClaims)) string {
		c := jwt.MapClaims{"iss": "laurel-dev", "aud": "laurel", "sub": "ann", "scope": httpapi.ServiceScope, "exp": noon.Add(time.Hour).Unix()}
		change(c)
		token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(secret)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	longer, err := jwt.NewWithClaims(jwt.SigningMethodHS512, jwt.MapClaims{"iss": "laurel-dev", "aud": "laurel", "sub": "ann", "exp": noon.Add(time.Hour).Unix()}).SignedString(secret)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"no token":             "",
		"not a token":          "ann",
		"a bad signature":      good[0] + "." + good[1] + "." + strings.Repeat("A", len(good[2])),
		"no signature":         good[0] + "." + good[1] + ".",
		"alg none":             none + "." + good[1] + ".",
		"another secret":       stranger,
		"another algorithm":    longer,
		"expired":              expired,
		"no expiry":            claims(func(c jwt.MapClaims) { delete(c, "exp") }),
		"another issuer":       claims(func(c jwt.MapClaims) { c["iss"] = "somebody" }),
		"another audience":     claims(func(c jwt.MapClaims) { c["aud"] = "another" }),
		"not yet valid":        claims(func(c jwt.MapClaims) { c["nbf"] = noon.Add(time.Minute).Unix() }),
		"claims are not JSON":  good[0] + ".bm90IEpTT04." + good[2],
		"a token and a half":   f.user("ann") + ".x",
		"somebody's signature": good[0] + "." + strings.Split(f.user("bob"), ".")[1] + "." + good[2],
	}
}

// Promise 7: nobody writes, or reads what is private, for somebody else.
func TestPromise7NobodyWritesForSomebodyElse(t *testing.T) {
	t.Parallel()
	f := open(t)
	if a := f.post(f.service(), list(`{"action":"like","target":"a1","user":"bob"}`)); a.status != http.StatusOK {
		t.Fatal(a.body)
	}
	before := f.state()
	for name, token := range forged(t, f) {
		for _, a := range []answer{
			f.post(token, list(like)),
			f.get("/v1/users/ann/standings", token),
			f.get("/v1/users/ann/activity", token),
		} {
			if a.problem(t); a.status != http.StatusUnauthorized || a.header.Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s: status %d, %q: %s", name, a.status, a.header.Get("WWW-Authenticate"), a.body)
			}
			if got := a.header.Get("Cache-Control"); got != "private, no-store" {
				t.Errorf("%s: Cache-Control %q", name, got)
			}
		}
		// What is for all is for who has a bad token too.
		if a := f.get("/v1/boards/activity/day", token); a.status != http.StatusOK {
			t.Errorf("%s: the board says %d: %s", name, a.status, a.body)
		}
	}
	for name, c := range map[string]struct {
		token, path, body string
	}{
		"publishing is the service's":             {f.user("ann"), "", list(`{"action":"publish","target":"a1"}`)},
		"so is taking it back":                    {f.user("ann"), "", list(`{"action":"unpublish","target":"a1"}`)},
		"with another scope too":                  {f.sign("ann", "laurel/admin laurel/services xlaurel/service"), "", list(`{"action":"publish","target":"a1"}`)},
		"another user's standings":                {f.user("ann"), "/v1/users/bob/standings", ""},
		"another user's activity":                 {f.user("ann"), "/v1/users/bob/activity", ""},
		"another user whose id looks alike":       {f.user("ann"), "/v1/users/Ann/activity", ""},
		"a token without a subject":               {f.user(""), "", list(like)},
		"a subject that no user can have":         {f.user(strings.Repeat("u", 65)), "", list(like)},
		"a subject with a control character":      {f.user("ann\n"), "", list(like)},
		"a subject of dots reads nothing":         {f.user(".."), "/v1/users/%2E%2E/activity", ""},
		"a token without a subject reads nothing": {f.user(""), "/v1/users/ann/activity", ""},
	} {
		a := f.get(c.path, c.token)
		if c.body != "" {
			a = f.post(c.token, c.body)
		}
		if a.problem(t); a.status != http.StatusForbidden || a.header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: status %d, %q: %s", name, a.status, a.header.Get("Cache-Control"), a.body)
		}
	}
	if after := f.state(); !maps.Equal(before, after) {
		t.Error("something was applied")
	}
}

func TestUserReportsForThemself(t *testing.T) {
	t.Parallel()
	f := open(t)
	got := read[httpapi.Receipts](t, f.post(f.user("ann"), list(
		like, like, `{"action":"follow","target":"ann"}`, `{"action":"steps","value":5e2}`, `{"action":"unlike","target":"a1"}`,
	)))
	var statuses []string
	for _, r := range got.Receipts {
		statuses = append(statuses, r.Status)
	}
	if want := "counted duplicate self counted revoked"; strings.Join(statuses, " ") != want {
		t.Errorf("receipts %q, want %q", statuses, want)
	}
	board := read[httpapi.Board](t, f.get("/v1/boards/steps/day", ""))
	if len(board.Entries) != 1 || board.Entries[0] != (httpapi.Entry{Rank: 1, Score: 500, User: httpapi.User{ID: "ann"}}) {
		t.Errorf("the board has %+v", board.Entries)
	}
	for _, path := range []string{"/v1/users/ann/standings", "/v1/users/ann/activity"} {
		a := f.get(path, f.user("ann"))
		if a.status != http.StatusOK || a.header.Get("Cache-Control") != "private, no-store" || a.header.Get("ETag") != "" {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
		if a := f.get(path, f.service()); a.status != http.StatusOK {
			t.Errorf("%s: the service gets %d", path, a.status)
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
	receipts := read[httpapi.Receipts](t, f.post(f.service(), list(all...))).Receipts
	if len(receipts) != 500 || receipts[0].Status != "counted" || receipts[0].Day != "2026-11-19" || receipts[1].Points != 10 {
		t.Errorf("%d receipts, the first %+v", len(receipts), receipts[:2])
	}
	for _, r := range receipts[2:] {
		if r.Status != "duplicate" || r.Points != 0 {
			t.Fatalf("a repetition says %+v", r)
		}
	}
	old := read[httpapi.Receipts](t, f.post(f.service(), list(at("2026-11-18T11:59:59.999Z"), at("2026-11-20T12:05:00.001Z"), at("2026-11-18T12:00:00Z")))).Receipts
	if old[0].Status != "too_late" || old[0].Scores != nil || old[1].Status != "too_early" || old[1].Scores != nil || old[2].Status == "too_late" {
		t.Errorf("receipts %+v", old)
	}
}
