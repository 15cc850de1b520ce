package httpapi_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/app"
	"laurel/shared/auth/token"
	"laurel/shared/httpapi"
)

const signingSecret = "the-secret-of-users-tokens-in-this-test"

const loginRules = `"discourse": {"instance": "https://f.example/forum", "login": "https://boards.example"}`

// A visitor is a browser at a forum whose login is by Discourse.
type visitor struct {
	*forum
	cookie string
}

func newVisitor(t *testing.T) *visitor {
	t.Helper()
	return &visitor{forum: hooked(t, loginRules, func(o *httpapi.Options) {
		o.EmbedOrigins = []string{"https://blog.example"}
		tokens := app.Tokens{UserSecrets: []string{signingSecret, "another"}, Audiences: []string{"laurel", "other"}}
		o.SignUser = tokens.Signer(o.Now)
	})}
}

// get requests a login with a query, and returns the status, where it leads to, and the body.
func (v *visitor) get(query string) (int, string, string) {
	v.TB.Helper()
	r, err := http.NewRequestWithContext(v.TB.Context(), http.MethodGet, v.URL+"/v1/login/discourse?"+query, http.NoBody)
	if err != nil {
		v.TB.Fatal(err)
	}
	if v.cookie != "" {
		r.Header.Set("Cookie", "theme=dark; "+v.cookie)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	harness.OK(v.TB, err)
	defer answer.Body.Close()
	body := new(strings.Builder)
	harness.OK(v.TB, answer.Write(body))
	for _, cookie := range answer.Cookies() {
		if !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" ||
			cookie.Domain != "" || cookie.MaxAge != 600 {
			v.TB.Errorf("the cookie is %v", cookie)
		}
		v.cookie = cookie.Name + "=" + cookie.Value
	}
	if cache := answer.Header.Get("Cache-Control"); !strings.Contains(cache, "no-store") {
		v.TB.Errorf("%s may be kept: %s", query, cache)
	}
	return answer.StatusCode, answer.Header.Get("Location"), body.String()
}

// named returns the query with which the forum sends the visitor back, whom it knows by an id.
func (v *visitor) named(asked string, visitor url.Values) string {
	v.TB.Helper()
	payload := v.payload(asked)
	visitor.Set("nonce", payload.Get("nonce"))
	sso := base64.StdEncoding.EncodeToString([]byte(visitor.Encode()))
	mac := hmac.New(sha256.New, []byte("an-older-secret"))
	mac.Write([]byte(sso))
	back, err := url.Parse(payload.Get("return_sso_url"))
	if err != nil || !strings.HasPrefix(payload.Get("return_sso_url"), "https://boards.example/v1/login/discourse?") {
		v.TB.Fatal(payload, err)
	}
	return back.RawQuery + "&" + url.Values{"sso": {sso}, "sig": {hex.EncodeToString(mac.Sum(nil))}}.Encode()
}

// payload is what the forum is asked.
func (v *visitor) payload(asked string) url.Values {
	v.TB.Helper()
	u, err := url.Parse(asked)
	if err != nil || !strings.HasPrefix(asked, "https://f.example/forum/session/sso_provider?") {
		v.TB.Fatal(asked, err)
	}
	text := harness.Must(base64.StdEncoding.DecodeString(u.Query().Get("sso")))(v.TB)
	payload := harness.Must(url.ParseQuery(string(text)))(v.TB)
	return payload
}

// A visitor goes to the forum and comes back to the page with a token of nobody else, which takes no
// more than a user's rights from the forum, a quarter of an hour long.
func TestLoginByDiscourse(t *testing.T) {
	t.Parallel()
	v := newVisitor(t)
	for _, page := range []string{"https://blog.example/boards?a=b&c=d", "https://f.example/t/1", "https://f.example"} {
		status, asked, _ := v.get("return=" + url.QueryEscape(page))
		if status != http.StatusFound || v.payload(asked).Has("prompt") {
			t.Fatalf("%s: %d %s", page, status, asked)
		}
		status, back, _ := v.get(v.named(asked, url.Values{"external_id": {"7"}, "admin": {"true"}, "groups": {"staff"}}))
		signed, ok := strings.CutPrefix(back, page+"#laurel=")
		if status != http.StatusSeeOther || !ok {
			t.Fatalf("%s: %d %s", page, status, back)
		}
		for after, want := range map[time.Duration]bool{0: true, 899 * time.Second: true, 901 * time.Second: false} {
			verifier, err := token.New(token.Options{
				UserSecrets: []string{signingSecret}, Audiences: []string{"laurel"},
				Now: func() time.Time { return v.Now.Add(after) },
			})
			if err != nil {
				t.Fatal(err)
			}
			caller, err := verifier.Verify(t.Context(), signed)
			if (err == nil) != want || want && (caller.User != "7" || caller.Service) {
				t.Errorf("after %s: %+v, %v", after, caller, err)
			}
		}
	}
}

// Who is not logged in comes back without a token, and says so, when nobody is to be asked.
func TestLoginOfNobody(t *testing.T) {
	t.Parallel()
	v := newVisitor(t)
	_, asked, _ := v.get("prompt=none&return=https%3A%2F%2Fblog.example%2F")
	if v.payload(asked).Get("prompt") != "none" {
		t.Error(asked)
	}
	status, back, _ := v.get(v.named(asked, url.Values{"failed": {"true"}}))
	if status != http.StatusSeeOther || back != "https://blog.example/#laurel_error=login_required" {
		t.Errorf("%d %s", status, back)
	}
}

// An answer of the forum gives a token to the browser that asked, at the page that asked: not to who was
// sent an address, nor to a page that somebody has written into it.
func TestLoginOfOthers(t *testing.T) {
	t.Parallel()
	v := newVisitor(t)
	_, asked, _ := v.get("return=https%3A%2F%2Fblog.example%2F")
	answer := v.named(asked, url.Values{"external_id": {"mallory"}})
	own := v.cookie
	for name, c := range map[string][2]string{
		"no cookie":        {"", answer},
		"another cookie":   {own[:len(own)-1] + "x", answer},
		"a short cookie":   {"__Host-laurel-login=", answer},
		"another page":     {own, strings.Replace(answer, "blog.example%2F", "blog.example%2Fother", 1)},
		"no signature":     {own, strings.Replace(answer, "sig=", "sig=&a=", 1)},
		"another id's sig": {own, strings.Replace(answer, "sso=", "sso=A", 1)},
	} {
		v.cookie = c[0]
		status, to, body := v.get(c[1])
		if status != http.StatusUnauthorized && status != http.StatusUnprocessableEntity || to != "" ||
			strings.Contains(body, "mallory") {
			t.Errorf("%s: %d %s %s", name, status, to, body)
		}
	}
	v.cookie = own
	v.Now = v.Now.Add(11 * time.Minute)
	if status, to, _ := v.get(answer); status != http.StatusUnauthorized || to != "" {
		t.Errorf("eleven minutes later: %d %s", status, to)
	}
}

// Two logins of a browser at once do not end each other.
func TestLoginsAtOnce(t *testing.T) {
	t.Parallel()
	v := newVisitor(t)
	_, one, _ := v.get("return=https%3A%2F%2Fblog.example%2F1")
	_, two, _ := v.get("return=https%3A%2F%2Fblog.example%2F2")
	for _, asked := range []string{one, two} {
		if status, _, body := v.get(v.named(asked, url.Values{"external_id": {"7"}})); status != http.StatusSeeOther {
			t.Errorf("%d %s", status, body)
		}
	}
}
