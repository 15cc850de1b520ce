package signatures_test

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
	"laurel/shared/core/signatures"
)

const providerSecret = "the-secret-of-the-provider-of-tests"

// provider answers as Discourse does: it checks the signature, and signs the visitor's data.
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

var theLogin = signatures.Login{
	Forum: "https://forum.example", Return: "https://blog.example/", State: "T", Browser: "B",
	Address: "https://boards.example/v1/login/discourse?return=https%3A%2F%2Fblog.example%2F&state=T",
}

// A login names the user whom the forum names, to the browser and the page that asked, for ten minutes; also while
// one secret replaces another.
func TestLogin(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	both := "discourse=another-secret-that-is-new-and-long discourse=" + providerSecret
	secrets := harness.Must(signatures.ParseSecrets(both))(t)
	old, _ := signatures.ParseSecrets("discourse=" + providerSecret)
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
	for after, by := range map[time.Duration]signatures.Secrets{0: old, 10 * time.Minute: old, time.Minute: secrets} {
		if got, err := by.Named(theLogin, sso, sig, now.Add(after)); got != "7" || err != nil {
			t.Errorf("after %s: %q, %v", after, got, err)
		}
	}
	fresh := harness.Must(secrets.Ask(theLogin, false, now))(t)
	newSSO, newSig := provider(t, "another-secret-that-is-new-and-long", fresh, ann)
	if got, err := secrets.Named(theLogin, newSSO, newSig, now); got != "7" || err != nil {
		t.Errorf("by the new secret: %q, %v", got, err)
	}
	if _, err := (signatures.Secrets{}).Ask(theLogin, false, now); !errors.Is(err, signatures.ErrSignature) {
		t.Errorf("asked without a secret: %v", err)
	}
	nobody, nobodySig := provider(t, providerSecret, asked, url.Values{"failed": {"true"}})
	if got, err := old.Named(theLogin, nobody, nobodySig, now); got != "" || !errors.Is(err, signatures.ErrNobody) {
		t.Errorf("nobody: %q, %v", got, err)
	}
}

// A forged, late or foreign answer is refused, and names nobody.
func TestForgedLoginIsRefused(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	old := harness.Must(signatures.ParseSecrets("discourse=" + providerSecret))(t)
	asked := harness.Must(old.Ask(theLogin, false, now))(t)
	sso, sig := provider(t, providerSecret, asked, url.Values{"external_id": {"7"}})
	flip := func(text string) string { return text[:9] + string(text[9]^1) + text[10:] }
	for name, change := range map[string]func(*answered){
		"too late":            func(a *answered) { a.after = 601 * time.Second },
		"before it was asked": func(a *answered) { a.after = -time.Hour },
		"another browser":     func(a *answered) { a.login.Browser = "C" },
		"no browser":          func(a *answered) { a.login.Browser = "" },
		"another page":        func(a *answered) { a.login.Return = "https://evil.example/" },
		"another state":       func(a *answered) { a.login.State = "S" },
		"no state":            func(a *answered) { a.login.State = "" },
		"another forum":       func(a *answered) { a.login.Forum = "https://evil.example" },
		"no secret":           func(a *answered) { a.secrets = signatures.Secrets{} },
		"another secret":      func(a *answered) { a.secrets = signatures.Secrets{"discourse": {"not-the-secret-of-it"}} },
		"another source's":    func(a *answered) { a.secrets = signatures.Secrets{"nodebb": {providerSecret}} },
		"one bit of sso":      func(a *answered) { a.sso = flip(sso) },
		"one bit of sig":      func(a *answered) { a.sig = flip(sig) },
		"no signature":        func(a *answered) { a.sig = "" },
		"signed, no base64":   func(a *answered) { a.sso, a.sig = `{"a":1}`, mac(providerSecret, `{"a":1}`) },
		"nothing in it":       func(a *answered) { a.sso, a.sig = "", mac(providerSecret, "") },
		"id 0":                func(a *answered) { a.sso, a.sig = a.sign("0") },
		"the system's id":     func(a *answered) { a.sso, a.sig = a.sign("-1") },
		"id with a zero":      func(a *answered) { a.sso, a.sig = a.sign("07") },
		"no id":               func(a *answered) { a.sso, a.sig = a.sign("ann") },
		"id 2^63":             func(a *answered) { a.sso, a.sig = a.sign("9223372036854775808") },
	} {
		a := answered{secrets: old, login: theLogin, sso: sso, sig: sig, sign: func(id string) (sso, sig string) {
			return provider(t, providerSecret, asked, url.Values{"external_id": {id}})
		}}
		change(&a)
		got, err := a.secrets.Named(a.login, a.sso, a.sig, now.Add(a.after))
		if got != "" || !errors.Is(err, signatures.ErrSignature) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// Any visitor sees the signatures of a login's secret, so a short one, which is enough for webhooks, makes no login.
func TestLoginNeedsALongSecret(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	short, long := strings.Repeat("s", 31), strings.Repeat("l", 32)
	alone := signatures.Secrets{"discourse": {short}}
	if _, err := alone.Ask(theLogin, false, now); !errors.Is(err, signatures.ErrSignature) {
		t.Errorf("with 31 bytes: %v", err)
	}
	both := signatures.Secrets{"discourse": {short, long}}
	asked := harness.Must(both.Ask(theLogin, false, now))(t)
	for secret, want := range map[string]string{short: "", long: "7"} {
		sso, _ := provider(t, long, asked, url.Values{"external_id": {"7"}})
		if got, err := both.Named(theLogin, sso, mac(secret, sso), now); got != want {
			t.Errorf("signed by %d bytes: %q, %v", len(secret), got, err)
		}
	}
}

// An answered is the answer to a login, with the time, the browser and the page that it comes back to.
type answered struct {
	secrets  signatures.Secrets
	login    signatures.Login
	sso, sig string
	after    time.Duration
	sign     func(id string) (sso, sig string) // the forum's signed answer for an id
}

// decoded returns the payload of an address.
func decoded(t *testing.T, address string) string {
	t.Helper()
	u := harness.Must(url.Parse(address))(t)
	return string(harness.Must(base64.StdEncoding.DecodeString(u.Query().Get("sso")))(t))
}
