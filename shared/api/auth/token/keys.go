package token

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"
)

const (
	keysTimeout  = 3 * time.Second  // for one document of the issuer
	keysEvery    = 30 * time.Second // at most, however many tokens name keys that nobody has
	maxPublished = 256 << 10        // bytes of a document
	maxKeys      = 100              // of an issuer, who has a few
)

// boundedClient returns a client that follows no redirect and takes no longer document than an issuer publishes.
func boundedClient(base *http.Client) *http.Client {
	client := *base
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	client.Transport = boundedTransport{client.Transport}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// boundedTransport reads documents of an issuer.
type boundedTransport struct{ next http.RoundTripper }

// RoundTrip returns an answer of which all has been read.
func (t boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client adds the address
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPublished+1))
	if _ = response.Body.Close(); err != nil {
		return nil, err //nolint:wrapcheck // likewise
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	switch _ = json.Unmarshal(body, &set); { // a body that is no JSON has no keys, and its reader says so
	case len(body) > maxPublished:
		return nil, fmt.Errorf("longer than %d KiB", maxPublished>>10)
	case len(set.Keys) > maxKeys:
		return nil, fmt.Errorf("more than %d keys", maxKeys)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

// keys are an issuer's published keys. They are read when the first token needs them, and
// again every hour and for a key that is new. Only the last error is kept.
type keys struct {
	issuer string
	client *http.Client

	mu     sync.Mutex
	set    keyfunc.Keyfunc // nil: not read yet
	failed error
	again  time.Time // when to try again
}

// find returns a function that finds the key of a token.
func (k *keys) find(ctx context.Context, now func() time.Time) jwt.Keyfunc {
	return func(token *jwt.Token) (any, error) {
		set, err := k.read(ctx, now())
		if err != nil {
			return nil, err
		}
		return set.KeyfuncCtx(ctx)(token)
	}
}

// read returns the set of keys.
func (k *keys) read(ctx context.Context, now time.Time) (keyfunc.Keyfunc, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.set != nil {
		return k.set, nil
	}
	if now.Before(k.again) {
		return nil, k.failed
	}
	set, err := k.discover(ctx)
	if err != nil {
		k.failed, k.again = fmt.Errorf("%w: %w", ErrKeys, err), now.Add(keysTimeout)
		return nil, k.failed
	}
	k.set = set
	return set, nil
}

// discover reads where the issuer's keys are, and the keys.
func (k *keys) discover(ctx context.Context) (keyfunc.Keyfunc, error) {
	ctx, cancel := context.WithTimeout(ctx, keysTimeout)
	defer cancel()
	address := strings.TrimSuffix(k.issuer, "/") + "/.well-known/openid-configuration"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := k.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var found struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"` //nolint:tagliatelle // as OpenID Connect Discovery has it
	}
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return nil, fmt.Errorf("%s: status %d: %w", address, response.StatusCode, err)
	}
	if found.Issuer != k.issuer {
		return nil, fmt.Errorf("%s is of another issuer: %q", address, found.Issuer)
	}
	scheme, _, _ := strings.Cut(k.issuer, ":")
	if !strings.HasPrefix(found.Keys, scheme+"://") {
		return nil, fmt.Errorf("%s: its jwks_uri is not an address of %s://", address, scheme)
	}
	failing := false // the first reading has to succeed
	return keyfunc.NewDefaultOverrideCtx(context.Background(), []string{found.Keys}, keyfunc.Override{
		Client: k.client, HTTPTimeout: keysTimeout, NoErrorReturnFirstHTTPReq: &failing,
		RateLimitWaitMax: keysTimeout, RefreshUnknownKID: rate.NewLimiter(rate.Every(keysEvery), 1),
		RefreshErrorHandlerFunc: func(string) func(context.Context, error) { return func(context.Context, error) {} },
	})
}
