package devtoken_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/shared/auth"
	"laurel/shared/httpapi/devtoken"
)

// Example shows whom a server behind the middleware takes a token for.
func Example() {
	tokens, err := devtoken.New([]byte("a secret for tests, of 32 bytes!"), time.Now)
	if err != nil {
		panic(err)
	}
	server := tokens.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		caller, known := auth.CallerFrom(r.Context())
		fmt.Println(known, caller.User, caller.Service)
	}))
	for _, scope := range []string{"", "openid " + auth.ServiceScope} {
		token, err := tokens.Sign("ann", scope, time.Hour)
		if err != nil {
			panic(err)
		}
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.Header.Set("Authorization", "Bearer "+token)
		server.ServeHTTP(httptest.NewRecorder(), r)
	}
	server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	// Output:
	// true ann false
	// true ann true
	// false  false
}

func TestSecretMustBeLong(t *testing.T) {
	t.Parallel()
	if _, err := devtoken.New([]byte(strings.Repeat("x", 31)), time.Now); !errors.Is(err, devtoken.ErrSecret) {
		t.Errorf("error %v", err)
	}
}

// A token lasts until its moment, by the clock that was handed in.
func TestTokensExpire(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	tokens, err := devtoken.New([]byte(strings.Repeat("x", 32)), func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	token, err := tokens.Sign("ann", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for after, valid := range map[time.Duration]bool{
		0: true, 59 * time.Second: true, time.Minute: false,
		time.Hour: false,
	} {
		now = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC).Add(after)
		if _, err := tokens.Verify(token); (err == nil) != valid {
			t.Errorf("after %s: %v", after, err)
		}
	}
}

func TestOnlyBearerTokensCount(t *testing.T) {
	t.Parallel()
	tokens, err := devtoken.New([]byte(strings.Repeat("x", 32)), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	token, err := tokens.Sign("ann", "", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	for header, want := range map[string]bool{
		"Bearer " + token: true, "bearer " + token: true, "Bearer  " + token: true,
		token: false, "Basic " + token: false, "Bearer": false, "Bearer " + token + "x": false, "": false,
	} {
		var known bool
		handler := tokens.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, known = auth.CallerFrom(r.Context())
		}))
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header.Set("Authorization", header)
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if known != want {
			t.Errorf("%.20q: %t", header, known)
		}
	}
}

func FuzzVerify(f *testing.F) {
	tokens, err := devtoken.New([]byte(strings.Repeat("x", 32)), time.Now)
	if err != nil {
		f.Fatal(err)
	}
	token, err := tokens.Sign("ann", "", time.Hour)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(token)
	f.Add("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.")
	f.Fuzz(func(t *testing.T, text string) {
		caller, err := tokens.Verify(text)
		if err == nil && caller != (auth.Caller{User: "ann"}) {
			t.Errorf("%q is %+v", text, caller)
		}
	})
}
