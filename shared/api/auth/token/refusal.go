package token

import (
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A Fault names a fault of a token.
type Fault string

// The faults of tokens.
const (
	Missing   Fault = "token_missing"   // there is none
	Malformed Fault = "token_malformed" // it is no JWT, or longer than 8 KiB
	Signature Fault = "token_signature" // no secret of this server, and no key of the issuer, has made it
	Issuer    Fault = "token_issuer"    // an issuer made it that is not configured
	Expiry    Fault = "token_expiry"    // it does not say when it expires
	Expired   Fault = "token_expired"   // it has
	Lifetime  Fault = "token_lifetime"  // it expires too far ahead
	Issued    Fault = "token_issued"    // it is of the future
	Audience  Fault = "token_audience"  // it is for others
	Subject   Fault = "token_subject"   // it names no user
)

// A Refusal is the error of a token that names no caller. It wraps ErrInvalid. Its detail names
// claims, their values and the expected ones, but neither a user nor a secret.
type Refusal struct { //nolint:errname // its name in the answer, too
	Fault  Fault
	Detail string
}

// Error returns the detail.
func (r *Refusal) Error() string { return ErrInvalid.Error() + ": " + r.Detail }

// Unwrap returns ErrInvalid.
func (*Refusal) Unwrap() error { return ErrInvalid }

func refuse(fault Fault, format string, args ...any) error {
	return &Refusal{fault, fmt.Sprintf(format, args...)}
}

// refusal returns the fault that a parser has found with a token.
func (v *Verifier) refusal(err error, claims jwt.MapClaims) error {
	switch {
	case errors.Is(err, jwt.ErrTokenMalformed):
		return refuse(Malformed, "it is no JSON Web Token")
	case errors.Is(err, jwt.ErrTokenSignatureInvalid), errors.Is(err, jwt.ErrTokenUnverifiable):
		return refuse(Signature, "it is signed by none of the secrets and keys that this server knows")
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing):
		return refuse(Expiry, "the claim exp is missing")
	case errors.Is(err, jwt.ErrTokenExpired):
		expiry, _ := claims.GetExpirationTime()
		return refuse(Expired, "it expired at %s, %s ago", stamp(expiry.Time), v.Now().Sub(expiry.Time).Round(time.Second))
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		start, _ := claims.GetNotBefore()
		return refuse(Issued, "it is not valid before %s (nbf), and here it is %s", stamp(start.Time), stamp(v.Now()))
	case errors.Is(err, jwt.ErrInvalidType):
		return refuse(Expiry, "a time (exp, nbf or iat) is not a number of seconds since 1970")
	default:
		return refuse(Malformed, "it cannot be checked")
	}
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// quoted lists texts.
func quoted(all []string) string {
	if len(all) == 0 {
		return "missing"
	}
	return fmt.Sprintf("%.200q", all)
}

// Look returns the faults of a token that can be seen without secrets and keys: a Refusal, or nil.
// summary has its algorithm, its audience and its expiry.
func Look(text string, now time.Time) (summary string, err error) {
	claims := jwt.MapClaims{}
	read, _, err := jwt.NewParser().ParseUnverified(text, claims)
	if err != nil {
		return "", refuse(Malformed, "it is no JSON Web Token")
	}
	v := &Verifier{Options: Options{UserClaim: "sub", Now: func() time.Time { return now }}}
	validator := jwt.NewValidator(jwt.WithExpirationRequired(), jwt.WithTimeFunc(v.Now), jwt.WithLeeway(maxSkew))
	if err := validator.Validate(claims); err != nil {
		return "", v.refusal(err, claims)
	}
	audiences, err := claims.GetAudience()
	shared := read.Method.Alg() == "HS256"
	switch _, isText := claims["sub"].(string); {
	case err != nil, shared && len(audiences) == 0:
		return "", refuse(Audience, "its audience (aud) is missing, or no text")
	case claims["sub"] != nil && !isText:
		return "", refuse(Subject, "the claim sub is no text: put the user's id in quotes")
	}
	if err = v.inTime(claims); err == nil && shared {
		err = v.within(claims)
	}
	expires, _ := claims.GetExpirationTime()
	return fmt.Sprintf("signed by %s for the audience %s, it expires at %s", read.Method.Alg(), quoted(audiences),
		stamp(expires.Time)), err
}
