package laurel

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A TokenSource returns a token, such as one that the forum signs. It is called when there is none, shortly before the
// one at hand expires, and once when one is refused; never twice at the same time.
type TokenSource func(ctx context.Context) (string, error)

// early is how long before it expires a token is not used any more: longer than a request is on its way.
const early = 30 * time.Second

// tokens keep the token of a source.
type tokens struct {
	source  TokenSource
	lock    chan struct{} // holds one value while the rest is used; a channel, so that waiting ends with the context
	current string
	expires time.Time // zero if the token does not have it
}

// get returns a token for a request, other than one that was refused and not about to expire; "" if it needs none.
// Requests that wait while the source is called use its token; if it failed, the next one calls it again.
func (t *tokens) get(ctx context.Context, r request, refused string) (string, error) {
	if r.public || t.source == nil {
		return "", nil
	}
	select {
	case t.lock <- struct{}{}:
		defer func() { <-t.lock }()
	case <-ctx.Done():
		return "", fmt.Errorf("laurel: waiting for a token: %w", ctx.Err())
	}
	if t.current != "" && t.current != refused && (t.expires.IsZero() || time.Until(t.expires) > early) {
		return t.current, nil
	}
	token, err := t.source(ctx)
	if err == nil && token == "" {
		err = errors.New("the source returned none")
	}
	if err != nil {
		return "", fmt.Errorf("laurel: the token: %w", err)
	}
	t.current, t.expires = token, expiry(token)
	return token, nil
}

// expiry returns the claim exp of a token, zero for none. It is not verified, as it only tells when to call for
// another.
func expiry(token string) time.Time {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Exp float64 `json:"exp"`
	}
	if err != nil || json.Unmarshal(text, &claims) != nil || claims.Exp <= 0 {
		return time.Time{}
	}
	return time.Unix(int64(claims.Exp), 0)
}
