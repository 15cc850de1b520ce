package token_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
)

const (
	userSecret    = "a secret of users, in tests: 32 b"
	nextSecret    = "the next secret of users in tests"
	serviceSecret = "a secret of the service, in tests"
)

var (
	noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	ann  = auth.Caller{User: "ann"}
)

// An issuer publishes keys.
type issuer struct {
	*httptest.Server
	rsa    *rsa.PrivateKey
	ec     *ecdsa.PrivateKey
	read   atomic.Int64 // how often its keys were read
	broken atomic.Bool
}

func open(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{rsa: harness.Must(rsa.GenerateKey(rand.Reader, 2048))(t)}
	i.ec = harness.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		if i.broken.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		i.read.Add(1)
		number := func(n *big.Int) string { return base64.RawURLEncoding.EncodeToString(n.Bytes()) }
		public, _ := i.ec.PublicKey.Bytes() // 4, X, Y
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []map[string]string{
			{"kty": "RSA", "kid": "r", "use": "sig", "n": number(i.rsa.N), "e": number(big.NewInt(int64(i.rsa.E)))},
			{
				"kty": "EC", "kid": "e", "crv": "P-256",
				"x": base64.RawURLEncoding.EncodeToString(public[1:33]), "y": base64.RawURLEncoding.EncodeToString(public[33:]),
			},
			{"kty": "oct", "kid": "o", "k": base64.RawURLEncoding.EncodeToString([]byte(userSecret))},
		}})
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// verifier takes all kinds of tokens, with options changed.
func (i *issuer) verifier(t *testing.T, change ...func(*token.Options)) *token.Verifier {
	t.Helper()
	o := token.Options{
		UserSecrets: []string{userSecret, nextSecret}, ServiceSecrets: []string{serviceSecret},
		Issuer: i.URL, Audiences: []string{"other", "laurel"}, Now: func() time.Time { return noon },
	}
	for _, c := range change {
		c(&o)
	}
	return harness.Must(token.New(o))(t)
}

// with are claims of ann's with some more, or other, ones; nil removes one.
func with(more ...any) jwt.MapClaims {
	c := jwt.MapClaims{"sub": "ann", "aud": "laurel", "exp": noon.Add(time.Hour).Unix()}
	for i := 0; i < len(more); i += 2 {
		if c[more[i].(string)] = more[i+1]; more[i+1] == nil {
			delete(c, more[i].(string))
		}
	}
	return c
}

// sign signs claims with headers, given as name, value, name, value...
func sign(t *testing.T, method jwt.SigningMethod, key any, claims jwt.MapClaims, headers ...any) string {
	t.Helper()
	made := jwt.NewWithClaims(method, claims)
	for i := 0; i < len(headers); i += 2 {
		made.Header[headers[i].(string)] = headers[i+1]
	}
	return harness.Must(made.SignedString(key))(t)
}

func hs(t *testing.T, secret string, claims jwt.MapClaims, headers ...any) string {
	t.Helper()
	return sign(t, jwt.SigningMethodHS256, []byte(secret), claims, headers...)
}

// Every kind of token names the caller, all kinds at once and two secrets at once.
func TestTokensNameTheCaller(t *testing.T) {
	t.Parallel()
	i := open(t)
	v, service := i.verifier(t), auth.Caller{Service: true}
	claimsOf := func(more ...any) jwt.MapClaims { return with(append([]any{"iss", i.URL}, more...)...) }
	rs := func(claims jwt.MapClaims, headers ...any) string {
		return sign(t, jwt.SigningMethodRS256, i.rsa, claims, headers...)
	}
	far := noon.Add(24 * time.Hour).Unix()
	for name, c := range map[string]struct {
		token string
		want  auth.Caller
	}{
		"a user's secret":                 {hs(t, userSecret, with()), ann},
		"the next one":                    {hs(t, nextSecret, with()), ann},
		"several audiences":               {hs(t, userSecret, with("aud", []string{"x", "other"})), ann},
		"a scope in it is ignored":        {hs(t, userSecret, with("scope", auth.ServiceScope)), ann},
		"a list of scopes is ignored":     {hs(t, userSecret, with("scp", []string{auth.ServiceScope})), ann},
		"another issuer's name":           {hs(t, userSecret, with("iss", i.URL)), ann},
		"a kid that means nothing":        {hs(t, userSecret, with(), "kid", "../../dev/null"), ann},
		"the clock is a minute ahead":     {hs(t, userSecret, with("exp", noon.Add(61*time.Minute).Unix())), ann},
		"the service's secret":            {hs(t, serviceSecret, with()), service},
		"the service without a subject":   {hs(t, serviceSecret, with("sub", nil)), service},
		"the issuer's RSA key":            {rs(claimsOf("exp", far), "kid", "r"), ann},
		"the issuer's EC key":             {sign(t, jwt.SigningMethodES256, i.ec, claimsOf("exp", far), "kid", "e"), ann},
		"a key without a kid":             {rs(claimsOf()), ann},
		"other scopes":                    {rs(claimsOf("scope", "laurel/services xlaurel/service"), "kid", "r"), ann},
		"the service by scope":            {rs(claimsOf("scope", "openid laurel/service"), "kid", "r"), service},
		"the service by scp":              {rs(claimsOf("scp", []string{"laurel/service"}, "sub", nil), "kid", "r"), service},
		"a client in place of aud":        {rs(claimsOf("aud", nil, "client_id", "laurel"), "kid", "r"), ann},
		"an audience beside a client":     {rs(claimsOf("client_id", "x"), "kid", "r"), ann},
		"a token that was signed by Sign": {signed(t, userSecret, "ann"), ann},
	} {
		if got, err := v.Verify(t.Context(), c.token); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	claims := i.verifier(t, func(o *token.Options) { o.UserClaim, o.ScopeClaim = "https://forum/id", "roles" })
	if got, err := claims.Verify(t.Context(), hs(t, userSecret, with("sub", "7", "https://forum/id", "ann"))); got != ann {
		t.Errorf("another claim: %+v, %v", got, err)
	}
	if got, err := claims.Verify(t.Context(), rs(claimsOf("roles", "laurel/service"), "kid", "r")); got != service {
		t.Errorf("another claim of scopes: %+v, %v", got, err)
	}
	if got, err := claims.Verify(t.Context(), rs(claimsOf("scope", "laurel/service"), "kid", "r")); err == nil {
		t.Errorf("without the claim: %+v", got)
	}
}

func signed(t *testing.T, secret, user string) string {
	t.Helper()
	return harness.Must(token.Sign(secret, user, "laurel", noon.Add(time.Hour)))(t)
}

// A refusal names the claim, its value and the expected one: the usual mistakes of forums.
func TestRefusalsNameTheFault(t *testing.T) {
	t.Parallel()
	i := open(t)
	v := i.verifier(t, func(o *token.Options) { o.Issuer = "" })
	seconds := func(d time.Duration) int64 { return noon.Add(d).Unix() }
	hexed := []byte(userSecret)[:16] // as if the text were hex
	for _, c := range []struct {
		text   string
		fault  token.Fault
		detail string
	}{
		{"", token.Missing, "none after the word Bearer"},
		{"ann", token.Malformed, "no JSON Web Token"},
		{hs(t, string(hexed), with()), token.Signature, "none of the secrets"},
		{sign(t, jwt.SigningMethodHS512, []byte(userSecret), with()), token.Signature, `"HS512": a shared`},
		{sign(t, jwt.SigningMethodRS256, i.rsa, with(), "kid", "r"), token.Issuer, "none is configured"},
		{hs(t, userSecret, with("exp", nil)), token.Expiry, "exp is missing"},
		{hs(t, userSecret, with("exp", "noon")), token.Expiry, "not a number of seconds"},
		{hs(t, userSecret, with("nbf", seconds(61*time.Second))), token.Issued, "not valid before"},
		{hs(t, userSecret, with("exp", seconds(-time.Second))), token.Expired, "1s ago"},
		{hs(t, serviceSecret, with("exp", seconds(-time.Hour))), token.Expired, "at 2026-11-20T11:00:00Z, 1h0m0s ago"},
		{hs(t, userSecret, with("exp", seconds(0))), token.Expired, "at 2026-11-20T12:00:00Z, 0s ago"},
		{hs(t, userSecret, with("exp", seconds(2*time.Hour))), token.Lifetime, "more than 1h0m0s ahead"},
		{hs(t, userSecret, with("exp", noon.UnixMilli())), token.Lifetime, "as if in milliseconds"},
		{hs(t, userSecret, with("iat", seconds(2*time.Minute))), token.Issued, "issued at 2026-11-20T12:02:00Z (iat)"},
		{hs(t, userSecret, with("nbf", seconds(2*time.Minute))), token.Issued, "not valid before 2026-11-20T12:02:00Z"},
		{hs(t, userSecret, with("aud", "forum")), token.Audience, `is ["forum"], and has to be ["other" "laurel"]`},
		{hs(t, serviceSecret, with("aud", nil)), token.Audience, "is missing"},
		{hs(t, userSecret, with("sub", 7)), token.Subject, "is no text"},
		{hs(t, userSecret, with("sub", nil)), token.Subject, "sub is missing"},
		{hs(t, userSecret, with("sub", strings.Repeat("u", 65))), token.Subject, "1 to 64 bytes"},
	} {
		_, err := v.Verify(t.Context(), c.text)
		r, refused := errors.AsType[*token.Refusal](err)
		if !refused || r.Fault != c.fault || !strings.Contains(r.Detail, c.detail) {
			t.Errorf("%v, want %s: %s", err, c.fault, c.detail)
		}
	}
	ahead := with("iat", seconds(time.Minute), "nbf", seconds(time.Minute))
	if _, err := v.Verify(t.Context(), hs(t, userSecret, ahead)); err != nil {
		t.Errorf("a clock that is a minute ahead: %v", err)
	}
	if _, err := token.Look(hs(t, userSecret, ahead), noon); err != nil {
		t.Errorf("a clock that is a minute ahead, by a look: %v", err)
	}
}

// The token's own claims can be seen without a secret.
func TestLook(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		hs(t, "any", with()):                                  `the audience ["laurel"], it expires at 2026-11-20T13:00:00Z`,
		hs(t, "any", with("exp", noon.UnixMilli())):           "as if in milliseconds",
		hs(t, "any", with("exp", noon.Unix())):                "it expired at 2026-11-20T12:00:00Z",
		hs(t, "any", with("aud", nil)):                        "aud) is missing",
		hs(t, "any", with("sub", 7)):                          "sub is no text",
		hs(t, "any", with("iat", noon.Add(time.Hour).Unix())): "it was issued at 2026-11-20T13:00:00Z",
		"ann": "no JSON Web Token",
	} {
		summary, err := token.Look(text, noon)
		if got := summary + fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// No hostile token names a caller, and no error has a secret or the token.
func TestHostileTokensAreRefused(t *testing.T) {
	t.Parallel()
	i := open(t)
	v := i.verifier(t)
	der := harness.Must(x509.MarshalPKIXPublicKey(&i.rsa.PublicKey))(t)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	claimsOf := func(more ...any) jwt.MapClaims { return with(append([]any{"iss", i.URL}, more...)...) }
	rs := func(claims jwt.MapClaims, headers ...any) string {
		return sign(t, jwt.SigningMethodRS256, i.rsa, claims, headers...)
	}
	good := hs(t, userSecret, with())
	parts, bobs := strings.Split(good, "."), strings.Split(signed(t, userSecret, "bob"), ".")[1]
	stranger := harness.Must(rsa.GenerateKey(rand.Reader, 2048))(t)
	segment := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	hostile := map[string]string{
		"alg none":                      sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, with()),
		"alg None":                      segment(`{"alg":"None"}`) + "." + parts[1] + ".",
		"alg none, signed":              segment(`{"alg":"none"}`) + "." + parts[1] + "." + parts[2],
		"no alg":                        segment(`{"typ":"JWT"}`) + "." + parts[1] + "." + parts[2],
		"no signature":                  parts[0] + "." + parts[1] + ".",
		"truncated":                     good[:len(good)-1],
		"a bad signature":               parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2])),
		"another's signature":           parts[0] + "." + bobs + "." + parts[2],
		"JSON with two signatures":      `{"payload":"` + parts[1] + `","signatures":[{"protected":"` + parts[0] + `"}]}`,
		"a blank in it":                 good[:9] + " " + good[9:],
		"another secret":                hs(t, strings.Repeat("x", 32), with()),
		"an empty secret":               hs(t, "", with()),
		"HS384":                         sign(t, jwt.SigningMethodHS384, []byte(userSecret), with()),
		"RS512":                         sign(t, jwt.SigningMethodRS512, i.rsa, claimsOf(), "kid", "r"),
		"PS256":                         sign(t, jwt.SigningMethodPS256, i.rsa, claimsOf(), "kid", "r"),
		"HS256 by the public key":       sign(t, jwt.SigningMethodHS256, public, claimsOf(), "kid", "r"),
		"HS256 by the key's DER":        sign(t, jwt.SigningMethodHS256, der, claimsOf(), "kid", "r"),
		"HS256 by the key's modulus":    sign(t, jwt.SigningMethodHS256, i.rsa.N.Bytes(), claimsOf(), "kid", "r"),
		"a critical header":             hs(t, userSecret, with(), "crit", []string{"b64"}, "b64", false),
		"expires after all time":        hs(t, userSecret, with("exp", 1e300)),
		"the service's in two hours":    hs(t, serviceSecret, with("exp", noon.Add(2*time.Hour).Unix())),
		"another audience's service":    hs(t, serviceSecret, with("aud", "x")),
		"a client is no audience":       hs(t, userSecret, with("aud", nil, "client_id", "laurel")),
		"an empty subject":              hs(t, userSecret, with("sub", "")),
		"a control character":           hs(t, userSecret, with("sub", "ann\n")),
		"a subject of dots":             hs(t, userSecret, with("sub", "..")),
		"a token that is too long":      hs(t, userSecret, with("x", strings.Repeat("x", 8<<10))),
		"another issuer":                rs(with("iss", "https://evil.example"), "kid", "r"),
		"no issuer":                     rs(with(), "kid", "r"),
		"the issuer's, expired":         rs(claimsOf("exp", noon.Unix()), "kid", "r"),
		"the issuer's, without expiry":  rs(claimsOf("exp", nil), "kid", "r"),
		"the issuer's, another's aud":   rs(claimsOf("aud", "x"), "kid", "r"),
		"the issuer's, another client":  rs(claimsOf("aud", nil, "client_id", "x"), "kid", "r"),
		"the issuer's, without subject": rs(claimsOf("sub", nil), "kid", "r"),
		"a stranger's key":              sign(t, jwt.SigningMethodRS256, stranger, claimsOf(), "kid", "r"),
		"a stranger's key, no kid":      sign(t, jwt.SigningMethodRS256, stranger, claimsOf()),
		"a key of another kind":         rs(claimsOf(), "kid", "e"),
		"a symmetric key":               rs(claimsOf(), "kid", "o"),
		"HS256 by a published key":      hs(t, userSecret+"?", claimsOf(), "kid", "o"),
		"an unknown key":                rs(claimsOf(), "kid", "x"),
		"a key's path":                  rs(claimsOf(), "kid", "../keys"),
		"a key's number":                rs(claimsOf(), "kid", 7),
		"a key of its own": rs(claimsOf(), "kid", "x", "jwk",
			map[string]string{"kty": "oct"}, "jku", i.URL+"/keys"),
	}
	for name, text := range hostile {
		got, err := v.Verify(t.Context(), text)
		if !errors.Is(err, token.ErrInvalid) || got != (auth.Caller{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, hidden := range []string{userSecret, serviceSecret, parts[1]} {
			if strings.Contains(fmt.Sprint(err), hidden) {
				t.Errorf("%s: the error tells %q", name, hidden)
			}
		}
	}
	if n := i.read.Load(); n > 2 {
		t.Errorf("the issuer's keys were read %d times", n)
	}
	// A kind that is off takes nothing.
	none := i.verifier(t, func(o *token.Options) { o.UserSecrets, o.ServiceSecrets, o.Issuer = nil, nil, "" })
	for name, text := range map[string]string{"a user's": good, "the issuer's": rs(claimsOf(), "kid", "r")} {
		if got, err := none.Verify(t.Context(), text); !errors.Is(err, token.ErrInvalid) {
			t.Errorf("off, %s: %+v, %v", name, got, err)
		}
	}
}

// An issuer that does not answer is no reason to call a token invalid.
func TestTheIssuersKeysAreUnavailable(t *testing.T) {
	t.Parallel()
	i := open(t)
	now := noon
	v := i.verifier(t, func(o *token.Options) { o.Now = func() time.Time { return now } })
	text := sign(t, jwt.SigningMethodRS256, i.rsa, with("iss", i.URL), "kid", "r")
	i.broken.Store(true)
	for range 2 {
		if _, err := v.Verify(t.Context(), text); !errors.Is(err, token.ErrKeys) || errors.Is(err, token.ErrInvalid) {
			t.Errorf("broken: %v", err)
		}
	}
	if got, err := v.Verify(t.Context(), hs(t, userSecret, with())); got != ann {
		t.Errorf("a shared secret's: %+v, %v", got, err)
	}
	i.broken.Store(false)
	now = now.Add(10 * time.Second)
	if got, err := v.Verify(t.Context(), text); got != ann {
		t.Errorf("when it answers again: %+v, %v", got, err)
	}
}

// The keys that an issuer publishes are bounded in every dimension.
func TestPublishedKeysAreBounded(t *testing.T) {
	t.Parallel()
	other := open(t)
	text := func(i *issuer) string { return sign(t, jwt.SigningMethodRS256, i.rsa, with("iss", i.URL), "kid", "r") }
	key := `{"kty":"oct","kid":"o","k":"QQ"},`
	for name, c := range map[string]struct{ path, answer string }{
		"a long configuration": {"/.well-known/openid-configuration", "{" + strings.Repeat(" ", 300<<10) + "}"},
		"long keys":            {"/keys", `{"keys":[` + strings.Repeat(" ", 300<<10) + "]}"},
		"many keys":            {"/keys", `{"keys":[` + strings.TrimSuffix(strings.Repeat(key, 200), ",") + "]}"},
		"a redirect":           {"/keys", ""},
		"another redirect":     {"/.well-known/openid-configuration", ""},
	} {
		i := open(t)
		inner := i.Config.Handler
		i.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path != c.path:
				inner.ServeHTTP(w, r)
			case c.answer == "":
				http.Redirect(w, r, other.URL+c.path, http.StatusFound)
			default:
				_, _ = w.Write([]byte(c.answer))
			}
		})
		if got, err := i.verifier(t).Verify(t.Context(), text(i)); !errors.Is(err, token.ErrKeys) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if n := other.read.Load(); n > 0 {
		t.Errorf("the keys that a redirect leads to were read %d times", n)
	}
}

func TestSecretsAreChecked(t *testing.T) {
	t.Parallel()
	short := strings.Repeat("x", 31)
	for name, o := range map[string]token.Options{
		"short": {UserSecrets: []string{short}}, "empty": {ServiceSecrets: []string{""}},
		"the second": {UserSecrets: []string{userSecret, short}},
	} {
		if _, err := token.New(o); !errors.Is(err, token.ErrSecret) || strings.Contains(err.Error(), short) {
			t.Errorf("%s: %v", name, err)
		}
	}
	same := token.Options{UserSecrets: []string{nextSecret, userSecret}, ServiceSecrets: []string{userSecret}}
	if _, err := token.New(same); !errors.Is(err, token.ErrSameSecret) {
		t.Errorf("the same: %v", err)
	}
	if _, err := token.Sign(short, "ann", "laurel", noon); !errors.Is(err, token.ErrSecret) {
		t.Errorf("sign: %v", err)
	}
}

func FuzzVerify(f *testing.F) {
	v, err := token.New(token.Options{
		UserSecrets: []string{userSecret}, Audiences: []string{"laurel"}, Now: func() time.Time { return noon },
	})
	harness.OK(f, err)
	text := harness.Must(token.Sign(userSecret, "ann", "laurel", noon.Add(time.Hour)))(f)
	f.Add(text)
	f.Add("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.")
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := v.Verify(t.Context(), text); err == nil && got != ann {
			t.Errorf("%q is %+v", text, got)
		}
	})
}
