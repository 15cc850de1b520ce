package devtoken

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel/shared/auth"
)

const (
	issuer    = "laurel-dev"
	audience  = "laurel"
	minSecret = 32 // bytes, as many as HS256 makes of them
)

// ErrSecret is returned for a secret that is too short.
var ErrSecret = errors.New("devtoken: the secret has less than 32 bytes")

// Tokens signs and checks tokens. It is safe for concurrent use.
type Tokens struct {
	secret []byte
	now    func() time.Time
	parser *jwt.Parser
}

// claims are what a token says: as a forum's identity provider would say it.
type claims struct {
	Scope string `json:"scope,omitempty"`
	jwt.RegisteredClaims
}

// New returns tokens signed with a secret of at least 32 bytes, that are of the
// clock's time.
func New(secret []byte, now func() time.Time) (*Tokens, error) {
	if len(secret) < minSecret {
		return nil, ErrSecret
	}
	return &Tokens{
		secret: secret,
		now:    now,
		parser: jwt.NewParser(
			jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
			jwt.WithExpirationRequired(),
			jwt.WithIssuer(issuer),
			jwt.WithAudience(audience),
			jwt.WithTimeFunc(now),
		),
	}, nil
}

// published is the secret of tokens that one process signs and another checks on
// the same machine, for sam local. Everybody knows it, so it protects nothing.
const published = "laurel's published secret: for local runs alone"

// Local returns the tokens of local runs: those that laurel token signs, and a
// function under sam local checks when it is told to.
func Local(now func() time.Time) *Tokens {
	tokens, err := New([]byte(published), now)
	if err != nil {
		panic(err) // the constant above is too short
	}
	return tokens
}

// Sign returns a token for a user, with scopes in one string separated by
// blanks ("" for none), that is valid for so long.
func (t *Tokens) Sign(user, scope string, ttl time.Duration) (string, error) {
	now := t.now()
	signed, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		Scope: scope,
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    issuer,
			Audience:  jwt.ClaimStrings{audience},
			Subject:   user,
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(ttl)),
		},
	}).SignedString(t.secret)
	if err != nil {
		return "", fmt.Errorf("devtoken: sign: %w", err)
	}
	return signed, nil
}

// Verify returns whom a token is for.
func (t *Tokens) Verify(token string) (auth.Caller, error) {
	var c claims
	if _, err := t.parser.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return t.secret, nil }); err != nil {
		return auth.Caller{}, fmt.Errorf("devtoken: verify: %w", err)
	}
	return auth.NewCaller(c.Subject, auth.Scopes(c.Scope)), nil
}

// Middleware puts whom a request's bearer token is for into its context. A
// request without a valid one goes on without a caller.
func (t *Tokens) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
		if found && strings.EqualFold(scheme, "Bearer") {
			if caller, err := t.Verify(strings.TrimSpace(token)); err == nil {
				r = r.WithContext(auth.WithCaller(r.Context(), caller))
			}
		}
		next.ServeHTTP(w, r)
	})
}
