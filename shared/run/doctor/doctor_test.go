package doctor_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/api/auth/token"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/core/signatures"
	"laurel/shared/run/doctor"
	"laurel/shared/run/localserver"
)

const (
	userSecret    = "the-users-secret-of-tests-of-32-bytes"
	serviceSecret = "the-services-secret-of-tests-of-32-bytes"
	hookSecret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	origin        = "https://forum.example"
)

var secrets = signatures.Secrets{
	"standard": {hookSecret}, "discourse": {"secret-of-discourse"}, "nodebb": {"secret-of-nodebb"},
}

// serve serves a forum with a setup, behind the server that laurel serve runs, on the real clock.
func serve(t *testing.T, setup harness.Setup) *harness.Forum {
	t.Helper()
	setup.Now, setup.Clock = time.Now(), time.Now
	f := harness.NewForum(t, setup)
	f.Listen(func(o *localserver.Options) {
		o.Tokens.UserSecrets, o.Tokens.ServiceSecrets = []string{userSecret}, []string{serviceSecret}
		o.Requests.Hooks, o.Origins = secrets, []string{origin}
	})
	return f
}

// proxied lets a server answer a request.
func proxied(handler string, w http.ResponseWriter, r *http.Request) {
	target, err := url.Parse(handler)
	if err != nil {
		panic(err)
	}
	r.Host = target.Host
	httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, r)
}

func signed(t *testing.T, name, secret string) doctor.Token {
	t.Helper()
	text := harness.Must(token.Sign(secret, "ann", "laurel", time.Now().Add(time.Hour)))(t)
	return doctor.Token{Name: name, Text: text}
}

// options allow all checks of an address.
func options(t *testing.T, address string) doctor.Options {
	t.Helper()
	base := harness.Must(url.Parse(address))(t)
	return doctor.Options{
		URL: base, Origin: origin, Hooks: secrets, Now: time.Now,
		Tokens: []doctor.Token{signed(t, "users", userSecret), signed(t, "service", serviceSecret)},
	}
}

// results runs the checks, and returns the lines by check.
func results(t *testing.T, o doctor.Options) (lines map[string]doctor.Line, well bool) {
	t.Helper()
	lines = map[string]doctor.Line{}
	well = doctor.Run(t.Context(), o, func(l doctor.Line) {
		if l.Check == "" || l.Seen == "" || (l.Do == "") != (l.Result == doctor.OK) {
			t.Errorf("a line without a finding, or without an act: %+v", l)
		}
		lines[l.Check] = l
	})
	return lines, well
}

// expect compares the outcomes of checks and their findings.
func expect(t *testing.T, name string, lines map[string]doctor.Line, want map[string]string) {
	t.Helper()
	for check, says := range want {
		result, seen, _ := strings.Cut(says, ": ")
		l, found := lines[check]
		text := strings.Join(append([]string{l.Seen}, l.More...), "\n")
		if !found || string(l.Result) != result || !strings.Contains(text, seen) {
			t.Errorf("%s: %s: %q, %s; want %s", name, check, l.Result, text, says)
		}
	}
}

// A server that is well passes all checks, behind a stage's path as well, and stays as it was.
func TestAllIsWell(t *testing.T) {
	t.Parallel()
	s := serve(t, harness.Setup{})
	s.Get("/v1/boards/activity/day", "") // the table has begun then
	before := s.State()
	written := s.Table.Writes.Load()
	stage := httptest.NewServer(http.StripPrefix("/prod", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxied(s.URL, w, r)
	})))
	defer stage.Close()
	for _, address := range []string{s.URL, s.URL + "/", stage.URL + "/prod"} {
		lines, well := results(t, options(t, address))
		if !well {
			t.Errorf("%s is not well", address)
		}
		expect(t, "", lines, map[string]string{
			"health": "ok: table, view; the view is in redis",
			"clock":  "ok: as this computer's", "address": "warning: http://", "time zone": "ok: UTC",
			"rules": "ok: bookmark 2, comment 3, follow 2, like 2, publish 10, steps, visit 1; boards activity, steps",
			"CORS":  "ok: " + origin, "token of users": "ok: accepted, as a user's; a damaged one is refused with 401",
			"token of service": "ok: accepted, as the service's",
			"members' actions": "warning: one member alone can make 490 points a day by bookmark, comment",
			"members' metrics": "warning: members may report steps up to 200000 a day as they like",
			"nightly run":      "ok: none yet", "last webhooks": "ok: ", "members-only areas": "ok: no activity",
			"webhook of standard":  "ok: accepted, and ignored as it should be: article laurel-doctor-",
			"webhook of discourse": `ok: "ping" does not count`,
			"webhook of nodebb":    `ok: "action:laurel.doctor" does not count`,
		})
	}
	if diff := cmp.Diff(before, s.State()); diff != "" {
		t.Errorf("it has changed something in Redis (-before +after):\n%s", diff)
	}
	if writes := s.Table.Writes.Load(); writes != written {
		t.Errorf("it has written to the table %d times", writes-written)
	}
}

// Boards that count places closed to guests cause a warning, until the board of the month is another one.
func TestMembersOnlyAreas(t *testing.T) {
	t.Parallel()
	for days, says := range map[int]string{
		40: "ok: no activity in places closed to guests",
		0:  "warning: something was published without a title on ",
	} {
		f := serve(t, harness.Setup{})
		day := f.Ledger.Calendar().Date(board.MomentOf(time.Now().AddDate(0, 0, -days)))
		harness.OK(t, f.Items.Untitled(t.Context(), day))
		lines, _ := results(t, options(t, f.URL))
		expect(t, day.String(), lines, map[string]string{"members-only areas": says})
	}
}

// The rules for members are checked where a member's token is accepted, and not with the service's alone; rules made
// for it are well.
func TestRulesForMembers(t *testing.T) {
	t.Parallel()
	strict := serve(t, harness.Setup{Ledger: ledger.New(harness.StrictRules(t), board.NewCalendar(time.UTC))})
	lines, _ := results(t, options(t, strict.URL))
	expect(t, "strict rules", lines, map[string]string{"members' actions": "ok: the rules are not the default ones"})
	if l, found := lines["members' metrics"]; found {
		t.Errorf("strict rules: %+v", l)
	}
	o := options(t, serve(t, harness.Setup{}).URL)
	o.Tokens = o.Tokens[1:]
	lines, _ = results(t, o)
	if l, found := lines["members' actions"]; found {
		t.Errorf("no member's token: %+v", l)
	}
}

// Without a secret, a token or an origin, the lines name the missing flags.
func TestChecksWithoutInputAreSkipped(t *testing.T) {
	t.Parallel()
	o := options(t, serve(t, harness.Setup{}).URL)
	o.Origin, o.Tokens, o.Hooks = "", nil, nil
	lines, well := results(t, o)
	if !well {
		t.Error("it is not well")
	}
	expect(t, "", lines, map[string]string{
		"CORS": "skipped: ", "token": "skipped: ", "nightly run": "skipped: ", "last webhooks": "skipped: ",
		"webhook": "skipped: ",
	})
}

// Each wrong setting fails its check alone.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	s := serve(t, harness.Setup{})
	for name, c := range map[string]struct {
		change func(*doctor.Options)
		want   map[string]string
	}{
		"another secret of tokens": {
			func(o *doctor.Options) { o.Tokens = []doctor.Token{signed(t, "x", userSecret+"x")} },
			map[string]string{
				"token of x":  "failure: it is refused: 401 Unauthorized: it is signed by none of the secrets",
				"nightly run": "skipped: ",
			},
		},
		"a token that is none": {
			func(o *doctor.Options) { o.Tokens = []doctor.Token{{Name: "x", Text: "x"}, {Name: "y", Text: "a.b."}} },
			map[string]string{"token of x": "failure: it is refused", "token of y": "failure: it is refused"},
		},
		"another secret of webhooks": {
			func(o *doctor.Options) { o.Hooks = signatures.Secrets{"standard": {"another-secret"}} },
			map[string]string{"webhook of standard": "failure: no secret of standard gives the signature"},
		},
		"a clock that is behind": {
			func(o *doctor.Options) { o.Now = func() time.Time { return time.Now().Add(-10 * time.Minute) } },
			map[string]string{
				"clock": "failure: it differs from this computer's by ", "time zone": "warning: this computer's clock says",
				"webhook of standard": "failure: webhook-timestamp is more than 5 minutes off",
			},
		},
		"a test without the service's token": {
			func(o *doctor.Options) { o.Tokens, o.Smoke = o.Tokens[:1], &doctor.Smoke{} },
			map[string]string{"records": "failure: the service's token is needed", "nightly run": "skipped: "},
		},
		"another origin": {
			func(o *doctor.Options) { o.Origin = "https://forum.example.com" },
			map[string]string{"CORS": "failure: OPTIONS /v1/activities: no Access-Control-Allow-Origin"},
		},
	} {
		o := options(t, s.URL)
		c.change(&o)
		lines, well := results(t, o)
		if well {
			t.Errorf("%s: all is well", name)
		}
		expect(t, name, lines, c.want)
		for check, l := range lines {
			if _, expected := c.want[check]; !expected && l.Result == doctor.Failure {
				t.Errorf("%s: %s fails too: %s", name, check, l.Seen)
			}
		}
	}
	o := options(t, s.URL)
	o.Hooks = nil
	lines, _ := results(t, o)
	expect(t, "", lines, map[string]string{"last webhooks": "warning: no secret of standard gives the signature"})
}

// For each mistake with a token the line names the claim, its value, and the act that mends it: from the server's
// message, and for mistakes that a token shows itself also where API Gateway refuses it without a word.
func TestRefusedTokensAreExplained(t *testing.T) {
	t.Parallel()
	now := time.Now()
	good := jwt.MapClaims{"sub": "ann", "aud": "laurel", "exp": now.Add(15 * time.Minute).Unix()}
	with := func(name string, value any) jwt.MapClaims {
		claims := maps.Clone(good)
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
		return claims
	}
	s := serve(t, harness.Setup{})
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			proxied(s.URL, w, r)
			return
		}
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"message":"Forbidden"}`)
	}))
	t.Cleanup(gateway.Close)
	for _, c := range []struct {
		claims     jwt.MapClaims
		secret     string
		says, gate string
		do         string
	}{
		{with("exp", nil), userSecret, "the claim exp is missing", "the claim exp is missing", "Set exp to"},
		{with("exp", now.Add(-time.Hour).Unix()), userSecret, "it expired at", "it expired at", "Get a new token"},
		{with("exp", now.Add(24*time.Hour).Unix()), userSecret, "more than 1h0m0s ahead", "ahead of", "within an hour"},
		{with("exp", now.Add(time.Hour/2).UnixMilli()), userSecret, "as if in milliseconds", "in milliseconds", "seconds"},
		{with("iat", now.Add(time.Hour).Unix()), userSecret, "it was issued at", "it was issued at", "Compare the clocks"},
		{with("aud", "forum"), userSecret, `["forum"], and has to be`, `for the audience ["forum"]`, "audience"},
		{with("aud", nil), userSecret, "(aud) is missing", "(aud) is missing", "Put the configured audience"},
		{with("sub", 42), userSecret, "the claim sub is no text", "the claim sub is no text", "as text"},
		{with("sub", nil), userSecret, "the claim sub", "signed by HS256", ""},
		{good, userSecret + "x", "signed by none of the secrets", "signed by HS256", "a secret is used as text"},
	} {
		text := harness.Must(jwt.NewWithClaims(jwt.SigningMethodHS256, c.claims).SignedString([]byte(c.secret)))(t)
		for url, says := range map[string]string{s.URL: c.says, gateway.URL: c.gate} {
			o := options(t, url)
			o.Tokens = []doctor.Token{{Name: "x", Text: text}}
			o.Hooks, o.Origin = nil, ""
			lines, _ := results(t, o)
			l := lines["token of x"]
			if l.Result != doctor.Failure || !strings.Contains(l.Seen, says) || !strings.Contains(l.Do, c.do) {
				t.Errorf("%v: %+v; want %q, do %q", c.claims, l, says, c.do)
			}
		}
	}
}
