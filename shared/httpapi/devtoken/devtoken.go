package devtoken

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"laurel/shared/httpapi"
)

const (
	issuer    = "laurel-dev"
	audience  = "laurel"
	minSecret = 32 // bytes, as many as HS256 makes of them
)

var (
	// ErrSecret is returned for a secret that is too short.
	ErrSecret = errors.New("devtoken: the secret has less than 32 bytes")
	// ErrToken is wrapped by the errors of Verify.
	ErrToken = errors.New("devtoken: invalid token")
)

// header is that of every token, {"alg":"HS256","typ":"JWT"}: no other algorithm is
// accepted, as a token cannot say which it has.
const header = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."

// Tokens signs and checks tokens. It is safe for concurrent use.
type Tokens struct {
	secret []byte
	now    func() time.Time
}

// claims are what a token says: as a forum's identity provider would say it.
type claims struct {
	Scope     string `json:"scope,omitempty"`
	Issuer    string `json:"iss"`
	Subject   string `json:"sub"`
	Audience  string `json:"aud"`
	IssuedAt  int64  `json:"iat"` // seconds since 1970, as the next
	NotBefore int64  `json:"nbf,omitempty"`
	ExpiresAt int64  `json:"exp"`
}

// New returns tokens signed with a secret of at least 32 bytes, that are of the
// clock's time.
func New(secret []byte, now func() time.Time) (*Tokens, error) {
	if len(secret) < minSecret {
		return nil, ErrSecret
	}
	return &Tokens{secret: secret, now: now}, nil
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
	payload, err := json.Marshal(claims{
		Scope: scope, Issuer: issuer, Subject: user, Audience: audience,
		IssuedAt: now.Unix(), ExpiresAt: now.Add(ttl).Unix(),
	})
	if err != nil {
		return "", fmt.Errorf("devtoken: sign: %w", err)
	}
	text := header + base64.RawURLEncoding.EncodeToString(payload)
	return text + "." + t.signature(text), nil
}

// signature returns the signature of the text before a token's last dot.
func (t *Tokens) signature(text string) string {
	mac := hmac.New(sha256.New, t.secret)
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Verify returns whom a token is for. The error wraps ErrToken.
func (t *Tokens) Verify(token string) (httpapi.Caller, error) {
	dot := strings.LastIndexByte(token, '.')
	if dot < len(header) || !strings.HasPrefix(token, header) ||
		!hmac.Equal([]byte(token[dot+1:]), []byte(t.signature(token[:dot]))) {
		return httpapi.Caller{}, fmt.Errorf("%w: not signed here", ErrToken)
	}
	var c claims
	payload, err := base64.RawURLEncoding.DecodeString(token[len(header):dot])
	if err == nil {
		err = json.Unmarshal(payload, &c)
	}
	switch {
	case err != nil:
		return httpapi.Caller{}, fmt.Errorf("%w: %w", ErrToken, err)
	case c.Issuer != issuer || c.Audience != audience:
		return httpapi.Caller{}, fmt.Errorf("%w: issued by %q for %q", ErrToken, c.Issuer, c.Audience)
	case t.now().Unix() < c.NotBefore || t.now().Unix() >= c.ExpiresAt:
		return httpapi.Caller{}, fmt.Errorf("%w: expired, or not yet valid", ErrToken)
	}
	return httpapi.NewCaller(c.Subject, httpapi.Scopes(c.Scope)), nil
}

// Middleware puts whom a request's bearer token is for into its context. A
// request without a valid one goes on without a caller.
func (t *Tokens) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, found := strings.Cut(r.Header.Get("Authorization"), " ")
		if found && strings.EqualFold(scheme, "Bearer") {
			if caller, err := t.Verify(strings.TrimSpace(token)); err == nil {
				r = r.WithContext(httpapi.WithCaller(r.Context(), caller))
			}
		}
		next.ServeHTTP(w, r)
	})
}
