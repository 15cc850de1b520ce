package token

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel/shared/api/auth"
	"laurel/shared/core/activity"
)

const (
	// MinSecret is the shortest secret, in bytes: as many as HS256 makes.
	MinSecret = 32
	// MaxAge is how far ahead a token of a shared secret may expire.
	MaxAge = time.Hour

	maxSkew  = time.Minute // of the forum's clock before this one
	maxToken = 8 << 10     // bytes; API Gateway takes headers of 10 KB altogether
)

var (
	// ErrInvalid is wrapped by the error of a token that says nothing about who calls.
	ErrInvalid = errors.New("token: invalid")
	// ErrKeys is wrapped by the error of a token that can't be checked, because the issuer's keys can't be read.
	ErrKeys = errors.New("token: the issuer's keys are unavailable")
	// ErrSecret is returned for a secret that is too short.
	ErrSecret = fmt.Errorf("token: the secret has less than %d bytes", MinSecret)
	// ErrSameSecret is returned when users' tokens would be the service's.
	ErrSameSecret = errors.New("token: the users' secret is the service's")
)

// Options select the accepted tokens. Now and Audiences are needed.
type Options struct {
	UserSecrets    []string // any of them signs a user's token
	ServiceSecrets []string // any of them signs the service's token
	Issuer         string   // an OpenID issuer, https://...; "" for none
	Audiences      []string // a token names one of them
	UserClaim      string   // the claim with the user's id; "" is sub
	ScopeClaim     string   // the claim with an issuer's scopes; "" is scope or scp

	Now    func() time.Time
	Client *http.Client // reads the issuer's keys; nil: http.DefaultClient
}

// A Verifier checks tokens. It is safe for concurrent use.
type Verifier struct {
	Options
	bySecrets, byKeys *jwt.Parser
	keys              *keys
	checked           checked
}

// New makes a verifier. It connects to nothing.
func New(o Options) (*Verifier, error) {
	for _, secret := range slices.Concat(o.UserSecrets, o.ServiceSecrets) {
		if len(secret) < MinSecret {
			return nil, ErrSecret
		}
	}
	if slices.ContainsFunc(o.UserSecrets, func(s string) bool { return slices.Contains(o.ServiceSecrets, s) }) {
		return nil, ErrSameSecret
	}
	if o.UserClaim == "" {
		o.UserClaim = "sub"
	}
	if o.Client == nil {
		o.Client = http.DefaultClient
	}
	parser := func(algorithms ...string) *jwt.Parser { // the leeway is for nbf: inTime takes it back for exp
		return jwt.NewParser(jwt.WithValidMethods(algorithms), jwt.WithExpirationRequired(), jwt.WithTimeFunc(o.Now),
			jwt.WithLeeway(maxSkew), jwt.WithStrictDecoding())
	}
	return &Verifier{
		Options: o, bySecrets: parser("HS256"), byKeys: parser("RS256", "ES256"),
		keys: &keys{issuer: o.Issuer, client: boundedClient(o.Client)},
	}, nil
}

// Bearer returns the token of a header Authorization, "" when it has none.
func Bearer(header string) string {
	scheme, token, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// Verify returns the caller of a token. A token of a shared secret is checked once, and taken until it expires.
func (v *Verifier) Verify(ctx context.Context, text string) (auth.Caller, error) {
	if len(text) > maxToken {
		return auth.Caller{}, refuse(Malformed, "it is longer than %d bytes", maxToken)
	}
	hash := sha256.Sum256([]byte(text))
	if caller, known := v.checked.caller(hash, v.Now()); known {
		return caller, nil
	}
	caller, claims, err := v.verify(ctx, text)
	if err == nil && claims != nil {
		since, until := validity(claims)
		v.checked.add(hash, found{caller, since, until})
	}
	return caller, err
}

// verify returns the caller of a token, and the claims of one of a shared secret.
func (v *Verifier) verify(ctx context.Context, text string) (caller auth.Caller, kept jwt.MapClaims, err error) {
	var claims jwt.MapClaims
	service := false
	alg, err := v.algorithm(text)
	switch {
	case err != nil:
	case alg == "HS256":
		claims, service, err = v.bySecret(text)
		kept = claims
	case v.Issuer != "":
		claims, err = v.claims(v.byKeys, text, v.keys.find(ctx, v.Now))
		service = slices.Contains(v.scopes(claims), auth.ServiceScope)
	case alg == "RS256", alg == "ES256":
		err = refuse(Issuer, "it is signed by %s, as those of an OpenID issuer are, and none is configured", alg)
	default:
		err = refuse(Signature, "its algorithm is %.20q: a shared secret signs by HS256", alg)
	}
	switch {
	case err != nil:
		return auth.Caller{}, nil, err
	case service:
		return auth.Caller{Service: true}, kept, nil
	default:
		caller, err = v.user(claims)
		return caller, kept, err
	}
}

// algorithm returns the algorithm that a token names, if it is accepted.
func (v *Verifier) algorithm(text string) (string, error) {
	if text == "" {
		return "", refuse(Missing, "there is none after the word Bearer in the header Authorization")
	}
	unverified, _, err := v.bySecrets.ParseUnverified(text, jwt.MapClaims{})
	if err != nil {
		return "", refuse(Malformed, "it is no JSON Web Token")
	}
	if _, critical := unverified.Header["crit"]; critical { // RFC 7515, 4.1.11: not understood, not valid
		return "", refuse(Malformed, "its header says that something has to be understood that is not (crit)")
	}
	return unverified.Method.Alg(), nil
}

// bySecret checks a token of a shared secret: the secret decides whether it is the service's or a user's.
func (v *Verifier) bySecret(text string) (claims jwt.MapClaims, service bool, err error) {
	claims, err = v.claims(v.bySecrets, text, func(t *jwt.Token) (any, error) {
		signed := t.Raw[:strings.LastIndexByte(t.Raw, '.')]
		for _, secret := range v.ServiceSecrets {
			if t.Method.Verify(signed, t.Signature, []byte(secret)) == nil {
				service = true
				return []byte(secret), nil
			}
		}
		var users jwt.VerificationKeySet
		for _, secret := range v.UserSecrets {
			users.Keys = append(users.Keys, []byte(secret))
		}
		return users, nil
	})
	return claims, service, err
}

// claims returns the claims of a token whose signature, times, audience and issuer are right.
func (v *Verifier) claims(parser *jwt.Parser, text string, keys jwt.Keyfunc) (jwt.MapClaims, error) {
	claims := jwt.MapClaims{}
	if _, err := parser.ParseWithClaims(text, claims, keys); err != nil {
		if errors.Is(err, ErrKeys) {
			return nil, err
		}
		return nil, v.refusal(err, claims)
	}
	if err := v.inTime(claims); err != nil {
		return nil, err
	}
	audiences, err := claims.GetAudience()
	if err == nil && len(audiences) == 0 && parser == v.byKeys { // access tokens of Cognito have this one in place of aud
		if client, ok := claims["client_id"].(string); ok {
			audiences = []string{client}
		}
	}
	if err != nil || !slices.ContainsFunc(v.Audiences, func(a string) bool { return slices.Contains(audiences, a) }) {
		return nil, refuse(Audience, "its audience (aud) is %s, and has to be %s", quoted(audiences), quoted(v.Audiences))
	}
	if parser == v.bySecrets {
		return claims, v.within(claims)
	}
	if issuer, err := claims.GetIssuer(); err != nil || issuer != v.Issuer {
		return nil, refuse(Issuer, "its issuer (iss) is %.200q, and has to be %q", issuer, v.Issuer)
	}
	return claims, nil
}

// inTime refuses tokens that have expired, and those made after now.
func (v *Verifier) inTime(claims jwt.MapClaims) error {
	issued, err := claims.GetIssuedAt()
	switch expires, _ := claims.GetExpirationTime(); { // the parser has seen it
	case !v.Now().Before(expires.Time):
		return v.refusal(jwt.ErrTokenExpired, claims)
	case err != nil:
		return v.refusal(err, claims)
	case issued != nil && issued.After(v.Now().Add(maxSkew)):
		return refuse(Issued, "it was issued at %s (iat), and here it is %s", stamp(issued.Time), stamp(v.Now()))
	default:
		return nil
	}
}

// within refuses a token that expires too far ahead.
func (v *Verifier) within(claims jwt.MapClaims) error {
	expires, _ := claims.GetExpirationTime() // the parser has seen it
	switch {
	case !expires.After(v.Now().Add(MaxAge + maxSkew)):
		return nil
	case expires.Year() > 9999 || expires.Unix() > 1e11:
		return refuse(Lifetime, "exp is %d, as if in milliseconds: it is in seconds since 1970", expires.Unix())
	default:
		return refuse(Lifetime, "it expires at %s, which is more than %s ahead of %s", stamp(expires.Time), MaxAge,
			stamp(v.Now()))
	}
}

// user returns the user whom claims name.
func (v *Verifier) user(claims jwt.MapClaims) (auth.Caller, error) {
	id, ok := claims[v.UserClaim].(string)
	switch {
	case claims[v.UserClaim] == nil:
		return auth.Caller{}, refuse(Subject, "the claim %s is missing, which names the user", v.UserClaim)
	case !ok:
		return auth.Caller{}, refuse(Subject, "the claim %s is no text: put the user's id in quotes", v.UserClaim)
	case !activity.ValidUserID(id):
		return auth.Caller{}, refuse(Subject,
			"the claim %s is not the id of a user: 1 to 64 bytes without control characters", v.UserClaim)
	}
	return auth.Caller{User: id}, nil
}

// scopes returns the scopes of claims: words in one string, or a list of them.
func (v *Verifier) scopes(claims jwt.MapClaims) (all []string) {
	names := []string{v.ScopeClaim}
	if v.ScopeClaim == "" {
		names = []string{"scope", "scp"}
	}
	for _, name := range names {
		switch claim := claims[name].(type) {
		case string:
			all = append(all, strings.Fields(claim)...)
		case []any:
			for _, scope := range claim {
				if s, ok := scope.(string); ok {
					all = append(all, s)
				}
			}
		}
	}
	return all
}
