package localserver_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/auth/token"
	"laurel/shared/localserver"
)

// limited serves a forum with limits, and returns how many of some requests are answered 429.
func limited(t *testing.T, l localserver.Limits) (
	f *harness.Forum, refused func(n int, path, forwarded, bearer string) int,
) {
	t.Helper()
	f = harness.NewForum(t, harness.Setup{})
	o := localserver.Options{
		Addr: "127.0.0.1:0", Answered: func(context.Context, localserver.Answered) {}, Tokens: f.Tokens.Options(f.Clock),
		Requests: f.Requests(), Batches: f.Batches(), Limits: l, Drain: time.Second,
		Ready: func(context.Context) error { return nil },
	}
	o.Tokens.UserSecrets, o.Tokens.ServiceSecrets = []string{userSecret}, []string{serviceSecret}
	server := harness.Must(localserver.Listen(t.Context(), o))(t)
	go func() { _ = server.Serve(t.Context()) }()
	return f, func(n int, path, forwarded, bearer string) (refused int) {
		for range n {
			request := harness.Must(http.NewRequest(http.MethodGet, "http://"+server.Addr()+path, http.NoBody))(t)
			request.Header.Set("X-Forwarded-For", forwarded)
			if bearer != "" {
				request.Header.Set("Authorization", "Bearer "+bearer)
			}
			answer, err := http.DefaultClient.Do(request)
			harness.OK(t, err)
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusTooManyRequests {
				refused++
			}
		}
		return refused
	}
}

const serviceSecret = "the-services-secret-of-tests-of-32-bytes"

// An address is the last hop that is no trusted proxy; what was before it is hearsay.
func TestAddressesAreLimited(t *testing.T) {
	t.Parallel()
	loopback := netip.MustParsePrefix("127.0.0.0/8")
	_, refused := limited(t, localserver.Limits{Address: 1, Proxies: []netip.Prefix{loopback}})
	if n := refused(40, "/v1/rules", "203.0.113.1", ""); n < 30 {
		t.Errorf("of 40 requests of an address %d are refused", n)
	}
	if n := refused(20, "/v1/rules", "198.51.100.7, 203.0.113.1, 127.0.0.9", ""); n < 15 {
		t.Errorf("whoever names another before itself is refused %d times of 20", n)
	}
	if n := refused(2, "/v1/rules", "203.0.113.2", ""); n > 0 {
		t.Errorf("another address is refused %d times", n)
	}
	for i := range 20 {
		if n := refused(1, "/v1/rules", fmt.Sprintf("2001:db8::%x", i), ""); i > 10 && n == 0 {
			t.Error("addresses of one network of 64 bits are not one")
		}
	}
	if n := refused(20, "/v1/rules", "", ""); n > 0 {
		t.Errorf("the proxy itself is refused %d times", n)
	}
	_, refused = limited(t, localserver.Limits{Address: 1})
	if n := refused(20, "/v1/rules", "203.0.113.9", ""); n < 15 {
		t.Errorf("without a trusted proxy the peer is the address, and is refused %d times of 20", n)
	}
}

// A user is limited on any address, and the service on none.
func TestUsersAreLimitedAndTheServiceIsNot(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	f, refused := limited(t, localserver.Limits{Address: 1, User: 1, Proxies: proxies})
	sign := func(secret, user string) string {
		text := harness.Must(token.Sign(secret, user, "laurel", f.Now.Add(time.Hour)))(t)
		return text
	}
	ann, bob, service := sign(userSecret, "ann"), sign(userSecret, "bob"), sign(serviceSecret, "service")
	n := 0
	for i := range 20 {
		n += refused(1, "/v1/rules", fmt.Sprint("203.0.113.", i), ann)
	}
	if n < 15 {
		t.Errorf("a user on 20 addresses is refused %d times", n)
	}
	if n := refused(2, "/v1/rules", "198.51.100.1", bob); n > 0 {
		t.Errorf("another user is refused %d times", n)
	}
	if n := refused(40, "/v1/rules", "198.51.100.2", service); n > 0 {
		t.Errorf("the service is refused %d times", n)
	}
	// Many addresses do not fill the memory.
	for i := range 200 {
		refused(1, "/v1/rules", fmt.Sprintf("10.0.%d.1", i), "")
	}
}
