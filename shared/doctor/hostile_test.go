package doctor_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// answering is a server that answers some paths in a way of its own, and the others as Laurel.
func answering(t *testing.T, own map[string]http.HandlerFunc) string {
	t.Helper()
	laurel := serve(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := own[r.URL.Path]
		if answer == nil {
			answer = own["*"]
		}
		if answer != nil {
			answer(w, r)
			return
		}
		proxied(laurel.url, w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// says answers with a status, a type and a body.
func says(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

// What is not Laurel, or cannot be reached, is said so once, and it gets no token.
func TestWhatIsNotLaurel(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	page := "<!doctype html>\x1b[2J" + strings.Repeat("<p>forum", 100)
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"nothing":            {nil, "failure: cannot be reached: "},
		"a page":             {says(200, "text/html; charset=utf-8", page), "failure: not Laurel: 200 OK with text/html"},
		"a page that is not": {says(404, "text/html", page), "failure: not Laurel: 404 Not Found with text/html"},
		"a gateway, no stage": {
			says(404, "application/json", `{"message":"Not Found"}`), "failure: not Laurel: 404 Not Found: Not Found",
		},
		"past the CDN": {
			says(403, "application/problem+json", `{"detail":"not by this address"}`),
			"failure: 403 Forbidden: not by this address",
		},
		"JSON of something else": {
			says(200, "application/json", `{"status":"up"}`), `failure: not Laurel: 200 OK: {"status":"up"}`,
		},
		"JSON of another shape": {says(200, "application/json", `[{"status":7}]`), "failure: not Laurel: 200 OK: ["},
		"no type":               {says(200, "", page), "failure: not Laurel: 200 OK with a body of no type"},
		"without an end":        {endless, "failure: not Laurel: 200 OK with more than 1048576 bytes of application/json"},
		"an early end":          {early, "failure: cannot be reached: the answer ends early: unexpected EOF"},
		"a redirect": {
			http.RedirectHandler("https://other.example/v1", http.StatusMovedPermanently).ServeHTTP,
			"failure: 301 Moved Permanently to https://other.example/v1",
		},
	} {
		var asked, tokens atomic.Int64
		address := gone.URL
		if c.answer != nil {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if r.Header.Get("Authorization") != "" {
					tokens.Add(1)
				}
				c.answer(w, r)
			}))
			t.Cleanup(server.Close)
			address = server.URL
		}
		lines, well := results(t, options(t, address))
		if well || len(lines) != 1 || asked.Load() > 1 || tokens.Load() > 0 {
			t.Errorf("%s: well %v, %d requests, %d tokens, %v", name, well, asked.Load(), tokens.Load(), lines)
		}
		expect(t, name, lines, map[string]string{"health": c.want})
		if strings.ContainsAny(lines["health"].Seen, "\x1b\n") {
			t.Errorf("%s: it moves the cursor: %q", name, lines["health"].Seen)
		}
	}
}

// endless answers until the client has had enough.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte(strings.Repeat(" ", 64<<10))); err != nil {
			return
		}
	}
}

// early answers less than it says.
func early(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = w.Write([]byte(`{"status"`))
}

type timeout struct{}

func (timeout) Error() string { return "it takes too long" }

func (timeout) Timeout() bool { return true }

func TestSlowServer(t *testing.T) {
	t.Parallel()
	o := options(t, "http://forum.example")
	o.HTTP = roundTrip(func(*http.Request) (*http.Response, error) { return nil, timeout{} }) // its time is over at once
	lines, _ := results(t, o)
	expect(t, "", lines, map[string]string{"health": "failure: cannot be reached: no answer within 10s"})
}

// Each path that answers something else fails its check, and the others go on.
func TestPathsThatAnswerSomethingElse(t *testing.T) {
	t.Parallel()
	const kind = "application/json"
	page := says(200, "text/html", "<html>")
	for name, c := range map[string]struct {
		path   string
		answer http.HandlerFunc
		want   map[string]string
	}{
		"a store that is not there": {
			"/v1/health", says(503, kind, `{"status":"unavailable","stores":{"redis":"unavailable"}}`),
			map[string]string{"health": "failure: a store is unavailable: redis"},
		},
		"no boards": {
			"/v1/boards", says(200, kind, `{"boards":[]}`), map[string]string{"time zone": "failure: /v1/boards: no boards"},
		},
		"a board without a zone": {
			"/v1/boards/activity/day", says(200, kind, `{"timezone":"Mars/Olympus","asOf":"2026-11-20T12:00:00Z"}`),
			map[string]string{"time zone": "failure: has no time zone"},
		},
		"rules of another kind": {
			"/v1/rules", says(200, kind, `{"versions":7}`), map[string]string{"rules": "failure: is no rules file"},
		},
		"no rules": {"/v1/rules", page, map[string]string{"rules": "failure: 200 OK with text/html"}},
		"a status of another shape": {
			"/v1/status", says(200, kind, `{"hooks":7}`),
			map[string]string{"nightly run": "failure: which is not an answer of Laurel", "last webhooks": "failure: "},
		},
		"a status without a moment": {
			"/v1/status", says(200, kind, `{"lastNight":"yesterday"}`), map[string]string{"nightly run": "failure: "},
		},
		"an older server": {
			"/v1/status", says(404, "application/problem+json", `{"code":"not_found","detail":"not found"}`),
			map[string]string{"token of service": "warning: does not answer GET /v1/status", "nightly run": "skipped: "},
		},
		"a webhook that counts": {
			"/v1/hooks/standard", says(200, kind, `{"changed":["article x"]}`),
			map[string]string{"webhook of standard": "failure: was not ignored"},
		},
		"a webhook that gets lost": {
			"/v1/hooks/standard", page, map[string]string{"webhook of standard": "failure: 200 OK with text/html"},
		},
		"tokens that nobody checks": {
			"/v1/users/ann/standings", func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") == "" {
					says(401, kind, `{}`)(w, r)
					return
				}
				says(200, kind, `{}`)(w, r)
			},
			map[string]string{"token of users": "failure: signature was damaged is accepted"},
		},
		"a route that needs no token": {
			"/v1/users/ann/standings", says(200, kind, `{}`),
			map[string]string{"token of users": "failure: the route is open to whoever has no token"},
		},
		"members who read each other's": {
			"/v1/users/laurel-doctor-other/standings", says(200, kind, `{}`),
			map[string]string{"token of users": "failure: is not refused at somebody else's standings"},
		},
		"tokens that fail for another reason": {
			"/v1/users/ann/standings", says(500, kind, `{"message":"Internal Server Error"}`),
			map[string]string{"token of users": "failure: it is refused: 500 Internal Server Error"},
		},
	} {
		lines, well := results(t, options(t, answering(t, map[string]http.HandlerFunc{c.path: c.answer})))
		if well == strings.Contains(fmt.Sprint(c.want), "failure") {
			t.Errorf("%s: well %v", name, well)
		}
		expect(t, name, lines, c.want)
		if len(lines) < 13 {
			t.Errorf("%s: only %d checks", name, len(lines))
		}
	}
}

// A browser refuses what it is told in the wrong way.
func TestCORSAsBrowsersReadIt(t *testing.T) {
	t.Parallel()
	header := func(status int, pairs ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(pairs); i += 2 {
				w.Header().Add("Access-Control-Allow-"+pairs[i], pairs[i+1])
			}
			w.WriteHeader(status)
		}
	}
	const headers = "Content-Type, Authorization"
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"as it should be": {header(204, "Origin", "*", "Methods", "GET,POST", "Headers", headers), "ok: "},
		"twice, by a proxy": {
			header(204, "Origin", "*", "Origin", origin, "Methods", "POST", "Headers", headers), "failure: is there 2 times",
		},
		"another's": {header(204, "Origin", "https://b.example"), "failure: is https://b.example, not " + origin},
		"no POST":   {header(204, "Origin", "*", "Methods", "GET"), "failure: Access-Control-Allow-Methods has no post"},
		"no tokens": {
			header(200, "Origin", "*", "Methods", "POST", "Headers", "content-type"), "failure: has no authorization",
		},
		"not a success": {
			header(405, "Origin", "*", "Methods", "POST", "Headers", headers), "failure: 405 Method Not Allowed",
		},
	} {
		lines, _ := results(t, options(t, answering(t, map[string]http.HandlerFunc{"/v1/activities": c.answer})))
		expect(t, name, lines, map[string]string{"CORS": c.want})
	}
}

// What is left is told with its reason, and what is held up with what to do.
func TestWhatIsLeftIsTold(t *testing.T) {
	t.Parallel()
	const at = "2026-11-20T12:00:00Z"
	for name, c := range map[string]struct {
		status string
		want   map[string]string
	}{
		"nothing": {`"view":null,"left":[],"imports":[]`, map[string]string{
			"boards": "ok: all that was reported", "periods": "ok: all that are due are final", "imports": "ok: none",
		}},
		"what ticks go on with": {
			`"view":{"behindSince":"2026-11-20T11:50:00Z","reason":"a report"},"left":[{"period":"2026-11-16","until":` +
				`"2026-11-17","reason":"due","since":"2026-11-20T11:59:00Z"},{"period":"2026-08","reason":"parts"}]`,
			map[string]string{
				"boards": "warning: may lack something since 2026-11-20T11:50:00Z: a report", "periods": "ok: 2 on their way\n" +
					"2026-11-16 to 2026-11-17: the next tick goes on, since 2026-11-20T11:59:00Z\n2026-08: waits until its",
			},
		},
		"what is held up": {
			`"view":{"behindSince":"2026-11-20T10:50:00Z","reason":"a report"},"left":[{"period":"2026-11-16","reason":` +
				`"due","since":"2026-11-19T11:00:00Z"},{"period":"2026-08","reason":"import","detail":"a.csv"},` +
				`{"period":"2026-W40","reason":"new\u0007"}],"imports":[{"name":"a.csv","since":"` + at +
				`","months":["2026-08"]}]`,
			map[string]string{
				"boards": "failure: may lack", "periods": "warning: 3 on their way, 2 of them held up",
				"imports": "warning: 1 in progress: nothing of their months becomes final\na.csv, since " + at + ": 2026-08",
			},
		},
		"events that wait": {
			`"events":[{"address":"badges","waiting":2,"since":"2026-11-20T11:59:00Z"},{"address":"mail"}]`,
			map[string]string{"events": "ok: 2 wait for 2 addresses"},
		},
		"events that are not taken": {
			`"events":[{"address":"mail","waiting":0},{"address":"badges","waiting":2,"since":` +
				`"2026-11-20T11:00:00Z","attempts":9,"problem":"the receiver answers 500"}]`,
			map[string]string{"events": "warning: not taken by 1 of 2 addresses\nbadges: 2 since 2026-11-20T11:00:00Z, tried " +
				"9 times: the receiver answers 500"},
		},
	} {
		lines, _ := results(t, options(t, answering(t, map[string]http.HandlerFunc{
			"/v1/status": says(200, "application/json", `{"asOf":"`+at+`","hooks":[],`+c.status+`}`),
		})))
		expect(t, name, lines, c.want)
	}
}

// Nights that were missed fail; the first one may be due.
func TestNightsThatWereMissed(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 0, 30, 0, 0, time.FixedZone("", 3600)) // the 19th in UTC
	for name, c := range map[string]struct{ since, last, want string }{
		"today's":          {"2026-11-01T00:00:00Z", `"2026-11-20"`, "ok: the last complete one was on 2026-11-20"},
		"yesterday's":      {"2026-11-01T00:00:00Z", `"2026-11-19"`, "ok: "},
		"three days ago":   {"2026-11-01T00:00:00Z", `"2026-11-17"`, "failure: on 2026-11-17, 3 days ago"},
		"no day":           {"2026-11-01T00:00:00Z", `"a while ago"`, "failure: on a while ago"},
		"none, a new one":  {"2026-11-18T23:00:00Z", "null", "ok: none yet"},
		"none, for a week": {"2026-11-13T00:00:00Z", "null", "failure: none was complete since 2026-11-13T00:00:00Z"},
	} {
		status := fmt.Sprintf(`{"timezone":"Europe/Berlin","asOf":%q,"since":%q,"lastNight":%s,"hooks":[]}`,
			now.Format(time.RFC3339), c.since, c.last)
		lines, _ := results(t, options(t, answering(t, map[string]http.HandlerFunc{
			"/v1/status": says(200, "application/json", status),
		})))
		expect(t, name, lines, map[string]string{"nightly run": c.want, "last webhooks": "ok: none yet"})
	}
}

// A public address without TLS is one that tokens should not be sent to.
func TestAddressWithoutTLS(t *testing.T) {
	t.Parallel()
	laurel := serve(t)
	o := options(t, "http://laurel.example")
	o.HTTP = roundTrip(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		proxied(laurel.url, w, r)
		return w.Result(), nil
	})
	lines, well := results(t, o)
	expect(t, "", lines, map[string]string{"address": "warning: http://laurel.example is not encrypted"})
	if !well {
		t.Errorf("%v", lines)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
