package signatures_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
)

// The published vectors: of the specification of Standard Webhooks, and of Discourse's own tests.
const (
	standardSecret  = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	standardID      = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	standardAt      = 1614265330
	standardSum     = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	standardBody    = `{"test": 2432232314}`
	discourseSecret = "my_lovely_secret_for_web_hook"
	discourseSum    = "sha256=162f107f6b5022353274eb1a7197885cfd35744d8d08e5bcea025d309386b7d6"
	nodeBBSecret    = "nodebb-test-secret"
	nodeBBSum       = "sha1=1f6c4cfb34586304742090e7267e67b60353e418"
	nodeBBBody      = `{"hook":"action:user.follow","params":{"fromUid":7,"toUid":3,"caller":{"uid":7}}}`
)

var secrets = signatures.Secrets{
	"standard": {"another-secret-of-ours", standardSecret}, "discourse": {discourseSecret}, "nodebb": {nodeBBSecret},
}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Set(pairs[i], pairs[i+1])
	}
	return h
}

func standard(id, timestamp, sum string) http.Header {
	return header("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", sum)
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	timestamp := strconv.Itoa(standardAt)
	sum1 := func(secret, body string) string {
		mac := hmac.New(sha1.New, []byte(secret))
		mac.Write([]byte(body))
		return "sha1=" + hex.EncodeToString(mac.Sum(nil))
	}
	mac := hmac.New(sha256.New, []byte("another-secret-of-ours"))
	mac.Write([]byte(standardID + "." + timestamp + "." + standardBody))
	plain := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	published := standard(standardID, timestamp, standardSum)
	const discourse, nodeBB = "X-Discourse-Event-Signature", "x-webhook-signature"
	for name, c := range map[string]struct {
		source string
		header http.Header
		body   string
		after  time.Duration
		right  bool
	}{
		"standard": {"standard", published, standardBody, 0, true},
		"one of several": {
			"standard", standard(standardID, timestamp, "v1a,x v1,A "+standardSum), standardBody, 0, true,
		},
		"the other secret":      {"standard", standard(standardID, timestamp, plain), standardBody, 0, true},
		"five minutes late":     {"standard", published, standardBody, 5 * time.Minute, true},
		"five minutes ahead":    {"standard", published, standardBody, -5 * time.Minute, true},
		"later":                 {"standard", published, standardBody, 301 * time.Second, false},
		"earlier":               {"standard", published, standardBody, -301 * time.Second, false},
		"another id":            {"standard", standard("msg_2", timestamp, standardSum), standardBody, 0, false},
		"another moment":        {"standard", standard(standardID, "1614265331", standardSum), standardBody, 0, false},
		"a moment that is none": {"standard", standard(standardID, "now", standardSum), standardBody, 0, false},
		"another version":       {"standard", standard(standardID, timestamp, "v2"+standardSum[2:]), standardBody, 0, false},
		"re-serialised":         {"standard", published, `{"test":2432232314}`, 0, false},
		"without headers":       {"standard", header(), standardBody, 0, false},
		"Discourse":             {"discourse", header(discourse, discourseSum), `{"ping":"OK"}`, 0, true},
		"a byte more":           {"discourse", header(discourse, discourseSum), `{"ping":"OK"} `, 0, false},
		"a digit less":          {"discourse", header(discourse, discourseSum[:70]), `{"ping":"OK"}`, 0, false},
		"Discourse, no prefix":  {"discourse", header(discourse, discourseSum[7:]), `{"ping":"OK"}`, 0, false},
		"an empty sum":          {"discourse", header(discourse, "sha256="), `{"ping":"OK"}`, 0, false},
		"Discourse, of NodeBB":  {"discourse", header(nodeBB, nodeBBSum), nodeBBBody, 0, false},
		"Discourse, sha1":       {"discourse", header(discourse, sum1(discourseSecret, "{}")), "{}", 0, false},
		"sha1 under its prefix": {"discourse", header(discourse, "sha256"+sum1(discourseSecret, "{}")[4:]), "{}", 0, false},
		"NodeBB":                {"nodebb", header(nodeBB, nodeBBSum), nodeBBBody, 0, true},
		"by another's secret":   {"nodebb", header(nodeBB, sum1(discourseSecret, nodeBBBody)), nodeBBBody, 0, false},
		"by no secret":          {"nodebb", header(nodeBB, sum1("", nodeBBBody)), nodeBBBody, 0, false},
		"another source":        {"flarum", header(nodeBB, nodeBBSum), nodeBBBody, 0, false},
	} {
		now := time.Unix(standardAt, 0).Add(c.after)
		err := secrets.Verify(c.source, c.header.Get, []byte(c.body), now)
		if (err == nil) != c.right || (err != nil && !errors.Is(err, signatures.ErrSignature)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for source, h := range map[string]http.Header{"nodebb": header(nodeBB, sum1("", nodeBBBody)), "standard": header()} {
		if err := (signatures.Secrets{}).Verify(source, h.Get, []byte(nodeBBBody), time.Now()); !errors.Is(err,
			signatures.ErrSignature) {
			t.Errorf("%s without a secret: %v", source, err)
		}
	}
}

func TestParseSecrets(t *testing.T) {
	t.Parallel()
	all, err := signatures.ParseSecrets(" discourse=" + discourseSecret + "\nstandard=" + standardSecret +
		"\r\nstandard=second-secret=with-a-sign ")
	if err != nil || len(all["standard"]) != 2 || all["standard"][1] != "second-secret=with-a-sign" ||
		all["discourse"][0] != discourseSecret {
		t.Errorf("%v, %v", all, err)
	}
	if all, err := signatures.ParseSecrets(""); err != nil || len(all) != 0 {
		t.Errorf("none: %v, %v", all, err)
	}
	for text, want := range map[string]string{
		"discourse":                   "pair 1 is not SOURCE=SECRET",
		"flarum=long-enough-as-it-is": "pair 1 is not SOURCE=SECRET",
		"discourse=":                  "the secret of pair 1, for discourse",
		"nodebb=" + nodeBBSecret + " nodebb=short":     "the secret of pair 2, for nodebb",
		"standard=whsec_MfKQ9r8GKYqrTwjUPD8I!":         "not base64",
		"standard=whsec_c2hvcnQ=":                      "the secret of pair 1",
		strings.Repeat("nodebb="+nodeBBSecret+"\n", 3): "more than two",
	} {
		_, err := signatures.ParseSecrets(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), nodeBBSecret) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// Verify accepts the signatures of Sign, of every source and both kinds of secret, and no others.
func TestVerifyAcceptsSignaturesOfSign(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_795_172_400, 0)
	secrets := []string{"secret-of-tests", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
	takes := func(source, secret, body string, headers map[string]string) bool {
		get := func(name string) string { return headers[name] }
		return signatures.Secrets{source: {secret}}.Verify(source, get, []byte(body), now) == nil
	}
	for i, secret := range secrets {
		for _, source := range activity.HookSources() {
			headers := signatures.Sign(source, secret, "msg_1", now, []byte("body"))
			if !takes(source, secret, "body", headers) || takes(source, secret, "other", headers) ||
				takes(source, secrets[1-i], "body", headers) {
				t.Errorf("%s, %s: it is not taken, or another body or secret is", source, secret)
			}
		}
	}
	headers := signatures.SignByAll(secrets, "evt_1", now, []byte("body"))
	for secret, want := range map[string]bool{secrets[0]: true, secrets[1]: true, "a third secret": false} {
		if takes(activity.StandardHooks, secret, "body", headers) != want {
			t.Errorf("signed by two secrets, %s takes it: %t", secret, !want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a secret that is not base64 signs")
		}
	}()
	signatures.Sign(activity.StandardHooks, "whsec_%", "msg_1", now, nil)
}

func TestNamedSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"badges=long enough": 0, "badges=longenough12 badges=longenough34 mail=longenough56": 2, "=longenough12": 0,
		"badges=short": 0, "a=longenough12 a=longenough34 a=longenough56": 0, "": 0,
	} {
		all, err := signatures.ParseNamedSecrets(text)
		if len(all) != want || (err == nil) != (want > 0 || text == "") {
			t.Errorf("%q: %v, %v", text, all, err)
		}
	}
}
