package laurel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrSignature is wrapped by the error of an event that none of the secrets has signed, or not lately.
var ErrSignature = errors.New("laurel: not signed")

const (
	tolerance = 5 * time.Minute // the largest difference of the clocks, and the greatest age of a signature
	minSecret = 12              // bytes; an unset variable must not be a secret
)

// An Event is one that Laurel sends, such as period.final. It comes at least once: ID is the same each time.
type Event struct {
	ID        string          `json:"-"`
	Type      string          `json:"type"`
	Timestamp time.Time       `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// Verify returns the event of a request whose body one of the secrets has signed as Standard Webhooks are. Give the
// new secret and the old one while one replaces the other; now is time.Now().
func Verify(header http.Header, body []byte, now time.Time, secrets ...string) (*Event, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return nil, fmt.Errorf("%w: the header webhook-id or webhook-timestamp is missing", ErrSignature)
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return nil, fmt.Errorf("%w: webhook-timestamp is more than five minutes off", ErrSignature)
	}
	signed := false
	for _, secret := range secrets {
		key, err := keyOf(secret)
		if err != nil {
			return nil, err
		}
		signed = signs(key, id+"."+timestamp+".", body, header.Get("Webhook-Signature")) || signed
	}
	if !signed {
		return nil, fmt.Errorf("%w: no secret gives the signature", ErrSignature)
	}
	event := &Event{ID: id}
	if err := json.Unmarshal(body, event); err != nil {
		return nil, fmt.Errorf("laurel: the event %s: %w", id, err)
	}
	return event, nil
}

// keyOf returns the bytes of a secret: of its base64 after whsec_, else of its text. The error has nothing of it.
func keyOf(secret string) (key []byte, err error) {
	key = []byte(secret)
	if text, ok := strings.CutPrefix(secret, "whsec_"); ok {
		key, err = base64.StdEncoding.DecodeString(text)
	}
	if err != nil || len(key) < minSecret {
		return nil, fmt.Errorf("laurel: a secret is shorter than %d bytes, or not base64 after whsec_", minSecret)
	}
	return key, nil
}

// signs reports whether a key gives one of a header's signatures, in a time that does not depend on the first
// difference.
func signs(key []byte, prefix string, body []byte, header string) bool {
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(prefix)) // never fails
	_, _ = mac.Write(body)
	want, found := []byte("v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil))), false
	for signature := range strings.FieldsSeq(header) {
		found = hmac.Equal([]byte(signature), want) || found
	}
	return found
}
