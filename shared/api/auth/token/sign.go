package token

import (
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Sign returns a token by a shared secret, as a forum's backend would sign it: the users' secret makes one of
// the user whom the subject names, the service's secret one of the service, whose subject means nothing.
func Sign(secret, subject, audience string, expires time.Time) (string, error) {
	if len(secret) < MinSecret {
		return "", ErrSecret
	}
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"sub": subject, "aud": audience, "exp": expires.Unix(),
	}).SignedString([]byte(secret))
	if err != nil {
		return "", fmt.Errorf("token: sign: %w", err)
	}
	return signed, nil
}
