package signatures

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // NodeBB's plugin signs with it
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel/shared/core/activity"
)

// ErrSignature is wrapped by the error of a webhook that no secret has signed.
var ErrSignature = errors.New("signatures: not signed")

// window is the allowed error of a sender's clock, and the maximum age of its signature.
const window = 5 * time.Minute

// MinSecret is the least length of a secret, in bytes.
const MinSecret = 12

// standardPrefix begins a secret of Standard Webhooks; base64 follows.
const standardPrefix = "whsec_"

// Secrets are the secrets of each source; more than one while one replaces another.
type Secrets map[string][]string

// ParseSecrets reads source=secret pairs, separated by spaces or lines, two of a source at most. No error has a
// secret.
func ParseSecrets(text string) (Secrets, error) {
	return parsePairs(text, "SOURCE=SECRET with one of the sources "+strings.Join(activity.HookSources(), ", "),
		func(source string) bool { return slices.Contains(activity.HookSources(), source) })
}

// ParseNamedSecrets reads name=secret pairs of any names likewise.
func ParseNamedSecrets(text string) (Secrets, error) {
	return parsePairs(text, "NAME=SECRET", func(name string) bool { return name != "" })
}

// parsePairs reads pairs whose names are known.
func parsePairs(text, form string, known func(name string) bool) (Secrets, error) {
	all := Secrets{}
	for i, pair := range strings.Fields(text) {
		source, secret, ok := strings.Cut(pair, "=")
		switch {
		case !ok || !known(source):
			return nil, fmt.Errorf("pair %d is not %s", i+1, form)
		case len(all[source]) == 2:
			return nil, fmt.Errorf("%s has more than two secrets", source)
		}
		key, err := keyOf(secret)
		if err != nil || len(key) < MinSecret {
			return nil, fmt.Errorf("the secret of pair %d, for %s, is not %d bytes or longer, or not base64 after %s",
				i+1, source, MinSecret, standardPrefix)
		}
		all[source] = append(all[source], secret)
	}
	return all, nil
}

// keyOf returns the bytes of a secret.
func keyOf(secret string) ([]byte, error) {
	if text, ok := strings.CutPrefix(secret, standardPrefix); ok {
		return base64.StdEncoding.DecodeString(text)
	}
	return []byte(secret), nil
}

// signature returns the signature of the parts, one after the other, by a secret that ParseSecrets takes.
func signature(secret string, algorithm func() hash.Hash, parts ...[]byte) []byte {
	key, err := keyOf(secret)
	if err != nil {
		panic("signatures: a secret that was not parsed is not base64") // the error has some of it
	}
	mac := hmac.New(algorithm, key)
	for _, part := range parts {
		_, _ = mac.Write(part) // never fails
	}
	return mac.Sum(nil)
}

// algorithms are those of sources that sign only the body, by the names that sources have for them.
var algorithms = map[string]func() hash.Hash{"sha256": sha256.New, "sha1": sha1.New}

// Verify checks the signature of a webhook with a source's secrets. The error wraps ErrSignature.
func (s Secrets) Verify(source string, header func(string) string, raw []byte, now time.Time) error {
	if len(s[source]) == 0 {
		return fmt.Errorf("%w: no secret of %s is configured", ErrSignature, source)
	}
	scheme := activity.HookSignatureOf(source)
	if scheme.Header == "" {
		return s.standard(header, raw, now)
	}
	prefix := scheme.Algorithm + "="
	digits, ok := strings.CutPrefix(header(scheme.Header), prefix)
	sum, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return fmt.Errorf("%w: the signature's header is not %s and hexadecimal digits", ErrSignature, prefix)
	}
	return s.match(source, algorithms[scheme.Algorithm], [][]byte{sum}, raw)
}

// standard verifies a webhook of the specification Standard Webhooks.
func (s Secrets) standard(header func(string) string, raw []byte, now time.Time) error {
	id, timestamp := header("webhook-id"), header("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return fmt.Errorf("%w: webhook-id or webhook-timestamp is missing", ErrSignature)
	}
	if off := now.Sub(time.Unix(seconds, 0)).Abs(); off > window {
		return fmt.Errorf("%w: webhook-timestamp is more than %d minutes off; look at the clocks", ErrSignature,
			window/time.Minute)
	}
	var sums [][]byte
	for signature := range strings.FieldsSeq(header("webhook-signature")) {
		if text, ok := strings.CutPrefix(signature, "v1,"); ok {
			if sum, err := base64.StdEncoding.DecodeString(text); err == nil {
				sums = append(sums, sum)
			}
		}
	}
	return s.match(activity.StandardHooks, sha256.New, sums, []byte(id+"."+timestamp+"."), raw)
}

// match checks that one of the secrets gives one of the sums.
func (s Secrets) match(source string, algorithm func() hash.Hash, sums [][]byte, parts ...[]byte) error {
	for _, secret := range s[source] {
		want := signature(secret, algorithm, parts...)
		if slices.ContainsFunc(sums, func(sum []byte) bool { return hmac.Equal(sum, want) }) {
			return nil
		}
	}
	return fmt.Errorf("%w: no secret of %s gives the signature", ErrSignature, source)
}

// Sign returns the headers with which a source signs a body, by a secret that ParseSecrets takes. id is the webhook's
// own, and now the time of sending; only Standard Webhooks have them.
func Sign(source, secret, id string, now time.Time, raw []byte) map[string]string {
	scheme := activity.HookSignatureOf(source)
	if scheme.Header == "" {
		return SignByAll([]string{secret}, id, now, raw)
	}
	sum := signature(secret, algorithms[scheme.Algorithm], raw)
	return map[string]string{scheme.Header: scheme.Algorithm + "=" + hex.EncodeToString(sum)}
}

// SignByAll returns the headers of Standard Webhooks with a signature by each of some secrets: a receiver that has
// one of them accepts it, so that one can replace the other.
func SignByAll(secrets []string, id string, now time.Time, raw []byte) map[string]string {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		sum := signature(secret, sha256.New, []byte(id+"."+timestamp+"."), raw)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(sum)
	}
	return map[string]string{
		"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": strings.Join(signatures, " "),
	}
}
