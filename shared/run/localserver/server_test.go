package localserver_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"laurel/internal/harness"
	"laurel/shared/api/httpapi"
	"laurel/shared/core/signatures"
	"laurel/shared/run/localserver"
	"laurel/shared/store/view/redisview"
)

// forum is one that a local server serves.
type forum struct {
	*harness.Forum
	access harness.Log // the access log
	stop   func()      // ends the server and waits for it
}

// open serves a forum with requests changed.
func open(t *testing.T, change ...func(*httpapi.Options)) *forum {
	t.Helper()
	f := &forum{Forum: harness.NewForum(t, harness.Setup{})}
	f.stop = f.Listen(func(o *localserver.Options) {
		o.Answered, o.Dev = localserver.Lines(&f.access, f.Clock, time.UTC), &localserver.Dev{Page: fstest.MapFS{}}
		o.Tokens.UserSecrets = []string{userSecret}
		for _, c := range change {
			c(&o.Requests)
		}
	})
	return f
}

// token gets a token from the server.
func (f *forum) token(query string) string {
	f.TB.Helper()
	return strings.TrimSpace(f.Get("/dev/token?"+query, "").Body)
}

// enqueue puts a body onto the queue and returns the status and the message's id.
func (f *forum) enqueue(token, body string) (status int, id string) {
	f.TB.Helper()
	a := f.Do(http.MethodPost, "/v1/queue/activities", token, body)
	_, rest, _ := strings.Cut(a.Body, "<MessageId>")
	id, _, _ = strings.Cut(rest, "</MessageId>")
	return a.Status, id
}

// Each request has a line, but for unchanged answers (304), and for the page's own files.
func TestLinesOfRequests(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	line := localserver.Lines(&out, func() time.Time { return harness.Noon }, time.UTC)
	for _, a := range []localserver.Answered{
		{Method: "GET", URI: "/demo/x.js", Status: 200},
		{Method: "GET", URI: "/v1/rules", Status: 304},
		{Method: "GET", URI: "/demo/x.js", Status: 404, Took: 1500 * time.Microsecond},
		{Method: "POST", URI: "/v1/activities", Status: 200, Took: time.Second},
	} {
		line(t.Context(), a)
	}
	const want = "12:00:00  404   1.5ms  GET  /demo/x.js\n12:00:00  200    1.0s  POST /v1/activities\n"
	if out.String() != want {
		t.Errorf("%q", out.String())
	}
}

const like = `{"action":"like","target":"a1"}`

// Messages for the queue are recorded, each as its sender's, before they are answered.
func TestTheQueueIsRecorded(t *testing.T) {
	t.Parallel()
	f := open(t)
	user, service := f.token("user=ann"), f.token("scope=laurel/service")
	ids := map[string]bool{}
	for token, body := range map[string]string{
		user: like,
		service: `{"activities":[{"action":"publish","target":"a1","user":"bob"},{"action":"like","target":"a1",` +
			`"user":"cid"}]}`,
	} {
		status, id := f.enqueue(token, body)
		if ids[id] = true; status != http.StatusAccepted ||
			!regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id) {
			t.Errorf("%d %q", status, id)
		}
	}
	if status, id := f.enqueue("", like); status != http.StatusUnauthorized || id != "" ||
		len(ids) != 2 {
		t.Errorf("without a token: %d %q; %v", status, id, ids)
	}
	for name, want := range map[string]int64{"ann": 2, "bob": 10, "cid": 2} {
		if got := f.ScoreOn("2026-11-20", name); got != want {
			t.Errorf("%s has %d points, want %d", name, got, want)
		}
	}
}

// Answers say how long they took on trips to Redis and beside them; a view in the process makes none.
func TestServerTiming(t *testing.T) {
	t.Parallel()
	f := open(t)
	redisview.TimeTrips(f.Redis, localserver.ViewTook)
	form := regexp.MustCompile(`^view;desc=redis;dur=(\d+\.\d{3}), app;dur=\d+\.\d{3}$`)
	for path, redis := range map[string]bool{
		"/v1/boards/activity/day": true, "/v1/boards/activity/day?limit=x": false, "/v1/rules": false,
		"/v1/users/ann/standings": false, "/v1/nothing": false,
	} {
		timing := f.Get(path, "").Header.Get("Server-Timing")
		took := form.FindStringSubmatch(timing)
		if took == nil || (took[1] != "0.000") != redis {
			t.Errorf("%s: %q", path, timing)
		}
	}
}

// A message that fails is delivered twice; then the log has it as a dead letter, and why.
func TestDeadLetters(t *testing.T) {
	t.Parallel()
	f := open(t)
	_, bad := f.enqueue(f.token("user=ann"), `{"action":"publish","target":"a-private-thread"}`)
	f.enqueue(f.token("user=ann"), like)
	f.stop()
	text := f.Out.String()
	if got := strings.Count(text, `"msg":"message refused","message":"`+bad); got != 2 {
		t.Errorf("delivered %d times:\n%s", got, text)
	}
	if !strings.Contains(text, `"msg":"a message is a dead letter","message":"`+bad) ||
		!strings.Contains(text, "the user may not report this action") || strings.Count(text, "dead letter") != 1 ||
		strings.Contains(text, "a-private-thread") || strings.Contains(text, `"ann"`) {
		t.Errorf("logged:\n%s", text)
	}
	if got := f.ScoreOn("2026-11-20", "ann"); got != 2 {
		t.Errorf("ann has %d points", got)
	}
}

// A request that is being answered when the server has to stop is answered.
func TestBegunRequestsAreAnswered(t *testing.T) {
	t.Parallel()
	f := open(t)
	stopped := make(chan struct{})
	f.Table.AfterCall(1, func() {
		go func() { f.stop(); close(stopped) }()
		time.Sleep(100 * time.Millisecond)
	})
	if a := f.Get("/v1/health", ""); a.Status != http.StatusOK {
		t.Errorf("health: %d", a.Status)
	}
	<-stopped
}

// Secrets are given by a code, regardless of headers that no trusted proxy has sent; and neither is in a log.
func TestSecretsAreInNoLog(t *testing.T) {
	t.Parallel()
	f := open(t, func(o *httpapi.Options) {
		o.Hooks, o.UserSecret = signatures.Secrets{"standard": {"hook-secret-1"}}, userSecret
	})
	code, _, err := f.Items.NewPairing(t.Context())
	harness.OK(t, err)
	a := f.Do(http.MethodPost, "/v1/pair", "", `{"code":"`+code+`"}`, "X-Forwarded-For", "203.0.113.1")
	f.stop()
	log := f.Out.String() + f.access.String()
	if !strings.Contains(a.Body, userSecret) || a.Header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(log, "/v1/pair") || strings.Contains(log, code) || strings.Contains(log, "secret") {
		t.Errorf("%d %v %s; logged %s", a.Status, a.Header, a.Body, log)
	}
}

// A code that comes in the clear could be read on its way: nobody gets secrets for it any more.
func TestPairingCodeInTheClearEnds(t *testing.T) {
	t.Parallel()
	f := harness.NewForum(t, harness.Setup{})
	f.Listen(func(o *localserver.Options) {
		o.Answered, o.Limits.Proxies = func(context.Context, localserver.Answered) {}, loopback
		o.Requests.Hooks = signatures.Secrets{"standard": {"hook-secret-1"}}
	})
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		code, _, err := f.Items.NewPairing(t.Context())
		harness.OK(t, err)
		sent := `{"code":"` + code + `"}`
		plain := f.Do(method, "/v1/pair", "", sent, "X-Forwarded-For", "203.0.113.1", "X-Forwarded-Proto", "http")
		after := f.Do(http.MethodPost, "/v1/pair", "", sent)
		if want := map[bool]int{true: 403, false: 200}[method == http.MethodPost]; plain.Status == 200 ||
			after.Status != want {
			t.Errorf("%s in the clear: %d %s, then %d %s", method, plain.Status, plain.Body, after.Status, after.Body)
		}
	}
}

// A name that another's server has given to this machine gets no token.
func TestTokensAreSignedForLoopbackHostsAlone(t *testing.T) {
	t.Parallel()
	f := open(t)
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:8080": 200, "127.0.0.1:1": 200, "127.9.9.9": 200, "[::1]": 200, "[::1]:8080": 200,
		"laurel.localhost:80": 200, "localhost.": 200, "evil.example": 403, "evil.example:8080": 403,
		"localhost.evil.example": 403,
		"evillocalhost":          403, "10.0.0.1:8080": 403, "127.0.0.1.evil.example": 403, "0.0.0.0": 403,
	} {
		address := f.URL + "/dev/token?user=ann"
		r := harness.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody))(t)
		r.Host = host
		a, err := http.DefaultClient.Do(r)
		harness.OK(t, err)
		harness.OK(t, a.Body.Close())
		if a.StatusCode != want {
			t.Errorf("%s: %d, want %d", host, a.StatusCode, want)
		}
	}
}

// An event is shown once, if it is signed.
func TestEventsThatAreReceived(t *testing.T) {
	t.Parallel()
	e := &localserver.Events{Secret: "secret-of-tests"}
	send := func(id, body, secret string) int {
		t.Helper()
		headers := signatures.SignByAll([]string{secret}, id, time.Now(), []byte(body))
		r, w := httptest.NewRequest(http.MethodPost, "/dev/events", strings.NewReader(body)), httptest.NewRecorder()
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		e.ServeHTTP(w, r)
		return w.Code
	}
	for _, c := range []struct {
		id, body, secret string
		want             int
	}{
		{"evt_1", `{"n":1}`, "secret-of-tests", 204},
		{"evt_2", `{"n":2}`, "secret-of-tests", 204},
		{"evt_1", `{"n":1}`, "secret-of-tests", 204},
		{"evt_3", `{"n":3}`, "secret-of-others", 401},
		{"evt_4", `{`, "secret-of-tests", 401},
	} {
		if got := send(c.id, c.body, c.secret); got != c.want {
			t.Errorf("%s: %d", c.id, got)
		}
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/dev/events", http.NoBody))
	want := `[{"id":"evt_2","event":{"n":2}},{"id":"evt_1","event":{"n":1}}]`
	if got := strings.TrimSpace(w.Body.String()); got != want {
		t.Errorf("shown: %s, want %s", got, want)
	}
}
