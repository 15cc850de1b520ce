package laurel_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"testing"
	"time"

	laurel "laurel/integrations/client/go"
)

const (
	webhookKey    = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	webhookSecret = "whsec_" + webhookKey
)

// signed returns headers by a key, signed here by the words of Standard Webhooks.
func signed(key []byte, id string, now time.Time, body string) http.Header {
	seconds := strconv.FormatInt(now.Unix(), 10)
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(id + "." + seconds + "." + body))
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", seconds)
	header.Set("webhook-signature", "v1a,AAAA v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header
}

// An event is accepted while either of two secrets is in use, within five minutes, and not with one byte changed.
func TestVerifyAcceptsRecentSignatures(t *testing.T) {
	t.Parallel()
	const body = `{"type":"period.final","timestamp":"2026-11-20T00:02:00Z","data":{"board":"activity"}}`
	now := time.Unix(1_795_172_400, 0)
	const text = "a-secret-of-text"
	key, err := base64.StdEncoding.DecodeString(webhookKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		header  http.Header
		body    string
		now     time.Time
		secrets []string
		taken   bool
	}{
		"base64":         {signed(key, "e1", now, body), body, now, []string{webhookSecret}, true},
		"text":           {signed([]byte(text), "e1", now, body), body, now, []string{text}, true},
		"the old secret": {signed([]byte(text), "e1", now, body), body, now, []string{webhookSecret, text}, true},
		"five minutes":   {signed(key, "e1", now, body), body, now.Add(5 * time.Minute), []string{webhookSecret}, true},
		"a clock behind": {signed(key, "e1", now, body), body, now.Add(-5 * time.Minute), []string{webhookSecret}, true},
		"too old":        {signed(key, "e1", now, body), body, now.Add(301 * time.Second), []string{webhookSecret}, false},
		"too early": {
			signed(key, "e1", now, body), body, now.Add(-301 * time.Second), []string{webhookSecret}, false,
		},
		"another body":      {signed(key, "e1", now, body), body + " ", now, []string{webhookSecret}, false},
		"another secret":    {signed(key, "e1", now, body), body, now, []string{text}, false},
		"no secret":         {signed(key, "e1", now, body), body, now, nil, false},
		"no headers at all": {http.Header{}, body, now, []string{webhookSecret}, false},
	} {
		event, err := laurel.Verify(c.header, []byte(c.body), c.now, c.secrets...)
		if !c.taken {
			if !errors.Is(err, laurel.ErrSignature) || event != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || event.Type != "period.final" || event.ID != "e1" ||
			event.Timestamp.Year() != 2026 || string(event.Data) != `{"board":"activity"}` {
			t.Errorf("%s: %+v, %v", name, event, err)
		}
	}
	vector := http.Header{} // of the libraries of Standard Webhooks
	vector.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	vector.Set("webhook-timestamp", "1614265330")
	vector.Set("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	known, err := laurel.Verify(vector, []byte(`{"test": 2432232314}`), time.Unix(1614265330, 0), webhookSecret)
	if err != nil || known.ID != "msg_p5jXN8AQM9LWM0D4loKWxJek" {
		t.Errorf("%+v, %v", known, err)
	}
	for _, secret := range []string{"", "whsec_", "short", "whsec_%%%%%%%%%%%%%%%%"} {
		if _, err := laurel.Verify(signed(nil, "e1", now, body), []byte(body), now, secret); err == nil {
			t.Errorf("the secret %q is taken", secret)
		}
	}
	if _, err := laurel.Verify(signed(key, "e1", now, "x"), []byte("x"), now, webhookSecret); err == nil {
		t.Error("a body that is no event is taken")
	}
}
