package token_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel/internal/harness"
	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
)

// clocked makes a verifier of secrets alone, and a function that sets its clock.
func clocked(tb testing.TB, o token.Options) (v *token.Verifier, set func(time.Time)) {
	tb.Helper()
	now := noon
	o.Audiences, o.Now = []string{"laurel"}, func() time.Time { return now }
	return harness.Must(token.New(o))(tb), func(moment time.Time) { now = moment }
}

func secrets() token.Options {
	return token.Options{UserSecrets: []string{userSecret}, ServiceSecrets: []string{serviceSecret}}
}

// A token that was checked is taken exactly as long as one that was not, whichever way the clock goes.
func TestCheckedTokenIsValidAsLongAsAnother(t *testing.T) {
	t.Parallel()
	limits := []time.Duration{
		0, 30 * time.Second, time.Minute, 2 * time.Minute, time.Hour - time.Minute, time.Hour,
		time.Hour + time.Minute, 2 * time.Hour,
	}
	for _, claims := range []jwt.MapClaims{
		with(), with("nbf", noon.Add(-time.Minute).Unix()), with("nbf", noon.Add(30*time.Second).Unix()),
		with("iat", noon.Unix()), with("iat", noon.Add(time.Minute).Unix()), with("exp", noon.Add(time.Minute).Unix()),
		with("exp", noon.Add(time.Second).Unix(), "nbf", noon.Unix(), "iat", noon.Add(-time.Hour).Unix()),
	} {
		text := hs(t, userSecret, claims)
		kept, set := clocked(t, secrets())
		if caller, err := kept.Verify(t.Context(), text); caller != ann || err != nil || kept.Checked() != 1 {
			t.Fatalf("%v: %v, %v, %d kept", claims, caller, err, kept.Checked())
		}
		for n := range 2 * 5 * len(limits) { // five seconds around each limit, before and after noon
			off := limits[n/10]*time.Duration(1-n%2*2) + time.Duration(n/2%5-2)*time.Second
			fresh, setFresh := clocked(t, secrets())
			set(noon.Add(off))
			setFresh(noon.Add(off))
			want, wantErr := fresh.Verify(t.Context(), text)
			got, err := kept.Verify(t.Context(), text)
			if got != want || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%v after %v: %v, %v; one that was not checked %v, %v", claims, off, got, err, want, wantErr)
			}
		}
	}
}

// Nothing of a checked token makes another one valid: not its signature, nor its claims.
func TestCheckedTokenHelpsNoOther(t *testing.T) {
	t.Parallel()
	v, _ := clocked(t, secrets())
	good, other := hs(t, userSecret, with()), hs(t, userSecret, with("sub", "bob"))
	service := hs(t, serviceSecret, with())
	for text, want := range map[string]auth.Caller{good: ann, other: {User: "bob"}, service: {Service: true}} {
		for range 2 {
			if got, err := v.Verify(t.Context(), text); got != want || err != nil {
				t.Errorf("%v, %v; want %v", got, err, want)
			}
		}
	}
	a, b := strings.Split(good, "."), strings.Split(other, ".")
	for _, text := range []string{
		a[0] + "." + b[1] + "." + a[2], a[0] + "." + a[1] + "." + b[2], good + "A", good[:len(good)-1], good + ".",
		strings.ToLower(good), " " + good, hs(t, nextSecret, with()), a[0] + "." + a[1] + ".",
	} {
		for range 2 { // nor is a refused token taken the second time
			if caller, err := v.Verify(t.Context(), text); !errors.Is(err, token.ErrInvalid) {
				t.Errorf("%q is %v's: %v", text, caller, err)
			}
		}
	}
	if v.Checked() != 3 {
		t.Errorf("it keeps %d tokens, want 3", v.Checked())
	}
}

// A verifier with other secrets knows no token of the one before.
func TestRevokedSecretEndsItsTokens(t *testing.T) {
	t.Parallel()
	before, _ := clocked(t, token.Options{UserSecrets: []string{userSecret, nextSecret}})
	old, next := hs(t, userSecret, with()), hs(t, nextSecret, with())
	for _, text := range []string{old, next} {
		if _, err := before.Verify(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	after, _ := clocked(t, token.Options{UserSecrets: []string{nextSecret}})
	if _, err := after.Verify(t.Context(), old); !errors.Is(err, token.ErrInvalid) {
		t.Errorf("a token of the revoked secret: %v", err)
	}
	if caller, err := after.Verify(t.Context(), next); caller != ann || err != nil {
		t.Errorf("a token of the other one: %v, %v", caller, err)
	}
}

// An issuer withdraws keys, so its tokens are checked each time.
func TestTokensOfAnIssuerAreNotKept(t *testing.T) {
	t.Parallel()
	i := open(t)
	v := i.verifier(t)
	text := sign(t, jwt.SigningMethodES256, i.ec, with("iss", i.URL), "kid", "e")
	if caller, err := v.Verify(t.Context(), text); caller != ann || err != nil || v.Checked() != 0 {
		t.Errorf("%v, %v, %d kept", caller, err, v.Checked())
	}
}

// However many tokens there are, from however many clients at once, a bounded number is kept, and those in use are.
func TestCheckedTokensAreBounded(t *testing.T) {
	t.Parallel()
	v, _ := clocked(t, secrets())
	used := hs(t, userSecret, with())
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for n := range token.MaxChecked {
				user := fmt.Sprintf("u%d-%d", client, n)
				text := hs(t, userSecret, with("sub", user))
				if caller, err := v.Verify(t.Context(), text); caller.User != user || err != nil {
					t.Errorf("%v, %v; want %s", caller, err, user)
				}
				if caller, err := v.Verify(t.Context(), used); caller != ann || err != nil {
					t.Errorf("%v, %v; want ann", caller, err)
				}
			}
		})
	}
	clients.Wait()
	if n := v.Checked(); n > token.MaxChecked || n < token.MaxChecked/2 {
		t.Errorf("it keeps %d tokens, want at most %d", n, token.MaxChecked)
	}
}

func BenchmarkVerify(b *testing.B) {
	v, _ := clocked(b, secrets())
	made := jwt.NewWithClaims(jwt.SigningMethodHS256, with())
	text := harness.Must(made.SignedString([]byte(userSecret)))(b)
	b.Run("checked", func(b *testing.B) {
		for b.Loop() {
			_, _ = v.Verify(b.Context(), text)
		}
	})
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			v.Forget()
			_, _ = v.Verify(b.Context(), text)
		}
	})
}
