package signatures

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/activity"
)

// A Login asks a Discourse, as a provider of DiscourseConnect, for the id of its visitor. Nothing is kept meanwhile:
// the data needed later is in the nonce, signed.
type Login struct {
	Forum   string // the forum's address, without a slash at its end
	Address string // where the forum sends the visitor back to
	Return  string // the page that the visitor came from
	State   string // a secret that only that page has
	Browser string // a secret that only the visitor's browser has
}

// loginTime is the longest time of a visitor's login, the same as Discourse's.
const loginTime = 10 * time.Minute

// minLoginSecret is the least length of a secret of a login, in bytes: any visitor sees its signatures, and can try
// secrets at home. Those of webhooks only their receiver sees.
const minLoginSecret = 32

// loginSecrets are those that are long enough.
func (s Secrets) loginSecrets() (all []string) {
	for _, secret := range s[activity.DiscourseHooks] {
		if key, err := keyOf(secret); err == nil && len(key) >= minLoginSecret {
			all = append(all, secret)
		}
	}
	return all
}

// CheckLogin returns why no login is possible with the secrets; the error wraps ErrSignature.
func (s Secrets) CheckLogin() error {
	if len(s.loginSecrets()) == 0 {
		return fmt.Errorf("%w: a login needs a secret of %s with %d bytes or more", ErrSignature, activity.DiscourseHooks,
			minLoginSecret)
	}
	return nil
}

// ErrNobody reports that the visitor is not logged in at the forum.
var ErrNobody = errors.New("signatures: nobody is logged in")

// Ask returns the address at the forum to which a visitor is sent, to come back named. A silent one asks for no
// password: a visitor who is not logged in comes back as nobody.
func (s Secrets) Ask(l Login, silent bool, now time.Time) (string, error) {
	if err := s.CheckLogin(); err != nil {
		return "", err
	}
	secrets := s.loginSecrets()
	payload := url.Values{"nonce": {l.nonce(secrets[0], now)}, "return_sso_url": {l.Address}}
	if silent {
		payload.Set("prompt", "none")
	}
	sso := base64.StdEncoding.EncodeToString([]byte(payload.Encode()))
	query := url.Values{"sso": {sso}, "sig": {signed(secrets[0], sso)}}
	return l.Forum + "/session/sso_provider?" + query.Encode(), nil
}

// Named returns the user whom the forum has named in its answer to Ask. An error wraps ErrSignature, or is ErrNobody.
func (s Secrets) Named(l Login, sso, sig string, now time.Time) (string, error) {
	sum, err := hex.DecodeString(sig)
	if err != nil {
		return "", fmt.Errorf("%w: sig is not hexadecimal digits", ErrSignature)
	}
	long := Secrets{activity.DiscourseHooks: s.loginSecrets()}
	if err := long.match(activity.DiscourseHooks, sha256.New, [][]byte{sum}, []byte(sso)); err != nil {
		return "", err
	}
	text, err := base64.StdEncoding.DecodeString(sso)
	if err != nil {
		return "", fmt.Errorf("%w: sso is not base64", ErrSignature)
	}
	payload, err := url.ParseQuery(string(text))
	if err != nil {
		return "", fmt.Errorf("%w: sso has no parameters in it", ErrSignature)
	}
	if !s.asked(l, payload.Get("nonce"), now) {
		return "", fmt.Errorf("%w: the login began more than %d minutes ago, in another browser or at another page",
			ErrSignature, loginTime/time.Minute)
	}
	if payload.Get("failed") == "true" {
		return "", ErrNobody
	}
	user := payload.Get("external_id")
	if id, err := strconv.ParseInt(user, 10, 64); err != nil || id <= 0 || strconv.FormatInt(id, 10) != user {
		return "", fmt.Errorf("%w: external_id is not the id of a user", ErrSignature)
	}
	return user, nil
}

// asked reports whether a nonce is from Ask, for this login and not too old.
func (s Secrets) asked(l Login, nonce string, now time.Time) bool {
	begun, _, _ := strings.Cut(nonce, ".")
	seconds, err := strconv.ParseInt(begun, 10, 64)
	if ago := now.Sub(time.Unix(seconds, 0)); err != nil || ago < -time.Minute || ago > loginTime {
		return false
	}
	ok := false
	for _, secret := range s.loginSecrets() {
		ok = hmac.Equal([]byte(nonce), []byte(l.nonce(secret, time.Unix(seconds, 0)))) || ok
	}
	return ok
}

// nonce returns a time and a signature that proves that it is ours. No webhook and no payload of the forum has lines
// that begin so, so its signatures are not these.
func (l Login) nonce(secret string, now time.Time) string {
	seconds := strconv.FormatInt(now.Unix(), 10)
	text := strings.Join([]string{"login", seconds, l.Forum, l.Return, l.State, l.Browser}, "\n")
	return seconds + "." + signed(secret, text)
}

// signed returns the signature of a text, in hexadecimal digits.
func signed(secret, text string) string {
	return hex.EncodeToString(signature(secret, sha256.New, []byte(text)))
}
