package hooks

import (
	"crypto/sha1" //nolint:gosec // what NodeBB's plugin signs with
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"time"

	"laurel/shared/activity"
)

// Sign returns the headers with which a source signs a body, by a secret that ParseSecrets takes.
// id is the webhook's own, and now when it is sent; only Standard Webhooks have them.
func Sign(source, secret, id string, now time.Time, raw []byte) (map[string]string, error) {
	if _, err := keyOf(secret); err != nil {
		return nil, fmt.Errorf("hooks: the secret of %s: %w", source, err)
	}
	sum := func(algorithm func() hash.Hash, text string) []byte {
		sum, _ := signature(secret, algorithm, []byte(text)) // of a secret that is one
		return sum
	}
	switch source {
	case activity.DiscourseHooks:
		return map[string]string{
			"X-Discourse-Event-Signature": "sha256=" + hex.EncodeToString(sum(sha256.New, string(raw))),
		}, nil
	case activity.NodeBBHooks:
		return map[string]string{"X-Webhook-Signature": "sha1=" + hex.EncodeToString(sum(sha1.New, string(raw)))}, nil
	default:
		at := strconv.FormatInt(now.Unix(), 10)
		signed := sum(sha256.New, id+"."+at+"."+string(raw))
		return map[string]string{
			"webhook-id": id, "webhook-timestamp": at,
			"webhook-signature": "v1," + base64.StdEncoding.EncodeToString(signed),
		}, nil
	}
}

// SignByAll returns the headers of Standard Webhooks with a signature by each of some secrets: a receiver
// that has one of them takes it, so that one can take the other's place.
func SignByAll(secrets []string, id string, now time.Time, raw []byte) (map[string]string, error) {
	headers, signatures := map[string]string{}, make([]string, len(secrets))
	for i, secret := range secrets {
		signed, err := Sign(activity.StandardHooks, secret, id, now, raw)
		if err != nil {
			return nil, err
		}
		headers, signatures[i] = signed, signed["webhook-signature"]
	}
	headers["webhook-signature"] = strings.Join(signatures, " ")
	return headers, nil
}
