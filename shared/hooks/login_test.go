package hooks_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/hooks"
)

const providerSecret = "the-secret-of-the-provider"

// provider answers as Discourse does: it looks at the signature, and signs what it knows of the visitor.
func provider(t *testing.T, secret, asked string, visitor url.Values) (sso, sig string) {
	t.Helper()
	u := harness.Must(url.Parse(asked))(t)
	query := u.Query()
	if mac(secret, query.Get("sso")) != query.Get("sig") {
		t.Fatalf("the forum refuses %s", asked)
	}
	text := harness.Must(base64.StdEncoding.DecodeString(query.Get("sso")))(t)
	payload := harness.Must(url.ParseQuery(string(text)))(t)
	answer := maps.Clone(visitor)
	answer["nonce"], answer["return_sso_url"] = payload["nonce"], payload["return_sso_url"]
	sso = base64.StdEncoding.EncodeToString([]byte(answer.Encode()))
	return sso, mac(secret, sso)
}

func mac(secret, text string) string {
	sum := hmac.New(sha256.New, []byte(secret))
	_, _ = sum.Write([]byte(text))
	return hex.EncodeToString(sum.Sum(nil))
}

var theLogin = hooks.Login{
	Forum: "https://forum.example", Return: "https://blog.example/", Browser: "B",
	Address: "https://boards.example/v1/login/discourse?return=https%3A%2F%2Fblog.example%2F",
}

// A login names the user whom the forum names, to the browser that asked, at the page that asked, for ten
// minutes; also while a secret takes another's place.
func TestLogin(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	secrets := harness.Must(hooks.ParseSecrets("discourse=another-secret-that-is-new discourse=" + providerSecret))(t)
	old, _ := hooks.ParseSecrets("discourse=" + providerSecret)
	ann := url.Values{"external_id": {"7"}, "username": {"ann"}, "groups": {"admins"}, "admin": {"true"}}
	asked, err := old.Ask(theLogin, false, now)
	if err != nil || !strings.HasPrefix(asked, "https://forum.example/session/sso_provider?") {
		t.Fatal(asked, err)
	}
	if silent, _ := old.Ask(theLogin, true, now); strings.Contains(decoded(t, asked), "prompt") ||
		!strings.Contains(decoded(t, silent), "prompt=none") {
		t.Errorf("asked %s, silent %s", decoded(t, asked), decoded(t, silent))
	}
	sso, sig := provider(t, providerSecret, asked, ann)
	flip := func(text string) string { return text[:9] + string(text[9]^1) + text[10:] }
	of := func(change func(*hooks.Login)) hooks.Login { l := theLogin; change(&l); return l }
	nobody, nobodySig := provider(t, providerSecret, asked, url.Values{"failed": {"true"}})
	id := func(text string) [2]string {
		sso, sig := provider(t, providerSecret, asked, url.Values{"external_id": {text}})
		return [2]string{sso, sig}
	}
	for name, c := range map[string]struct {
		secrets  hooks.Secrets
		login    hooks.Login
		sso, sig string
		after    time.Duration
		want     string // "" for ErrSignature
		err      error
	}{
		"at once":                  {old, theLogin, sso, sig, 0, "7", nil},
		"after ten minutes":        {old, theLogin, sso, sig, 10 * time.Minute, "7", nil},
		"with the new secret, too": {secrets, theLogin, sso, sig, time.Minute, "7", nil},
		"nobody":                   {old, theLogin, nobody, nobodySig, 0, "", hooks.ErrNobody},
		"too late":                 {old, theLogin, sso, sig, 601 * time.Second, "", hooks.ErrSignature},
		"before it was asked":      {old, theLogin, sso, sig, -time.Hour, "", hooks.ErrSignature},
		"another browser":          {old, of(func(l *hooks.Login) { l.Browser = "C" }), sso, sig, 0, "", hooks.ErrSignature},
		"no browser":               {old, of(func(l *hooks.Login) { l.Browser = "" }), sso, sig, 0, "", hooks.ErrSignature},
		"another page": {
			old, of(func(l *hooks.Login) { l.Return = "https://evil.example/" }), sso, sig, 0, "", hooks.ErrSignature,
		},
		"another forum": {
			old, of(func(l *hooks.Login) { l.Forum = "https://evil.example" }), sso, sig, 0, "", hooks.ErrSignature,
		},
		"no secret": {hooks.Secrets{}, theLogin, sso, sig, 0, "", hooks.ErrSignature},
		"another secret": {
			hooks.Secrets{"discourse": {"not-the-secret-of-it"}}, theLogin, sso, sig, 0, "", hooks.ErrSignature,
		},
		"another source's": {hooks.Secrets{"nodebb": {providerSecret}}, theLogin, sso, sig, 0, "", hooks.ErrSignature},
		"one bit of sso":   {old, theLogin, flip(sso), sig, 0, "", hooks.ErrSignature},
		"one bit of sig":   {old, theLogin, sso, flip(sig), 0, "", hooks.ErrSignature},
		"no signature":     {old, theLogin, sso, "", 0, "", hooks.ErrSignature},
		"signed, no base64": {
			old, theLogin, `{"a":1}`, mac(providerSecret, `{"a":1}`), 0, "", hooks.ErrSignature,
		},
		"nothing in it":   {old, theLogin, "", mac(providerSecret, ""), 0, "", hooks.ErrSignature},
		"id 0":            {old, theLogin, id("0")[0], id("0")[1], 0, "", hooks.ErrSignature},
		"the system's id": {old, theLogin, id("-1")[0], id("-1")[1], 0, "", hooks.ErrSignature},
		"id with a zero":  {old, theLogin, id("07")[0], id("07")[1], 0, "", hooks.ErrSignature},
		"no id":           {old, theLogin, id("ann")[0], id("ann")[1], 0, "", hooks.ErrSignature},
		"id 2^63": {
			old, theLogin, id("9223372036854775808")[0], id("9223372036854775808")[1], 0, "", hooks.ErrSignature,
		},
	} {
		got, err := c.secrets.Named(c.login, c.sso, c.sig, now.Add(c.after))
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// decoded returns the payload of an address.
func decoded(t *testing.T, address string) string {
	t.Helper()
	u := harness.Must(url.Parse(address))(t)
	return string(harness.Must(base64.StdEncoding.DecodeString(u.Query().Get("sso")))(t))
}
