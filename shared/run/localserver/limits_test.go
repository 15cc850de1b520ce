package localserver_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"laurel/shared/api/auth"
	"laurel/shared/run/localserver"
)

// limited returns how many of some requests are refused that an address forwards, "" for its own; nobody's, a user's
// or the service's.
func limited(l localserver.Limits) (refused func(n int, forwarded string, caller auth.Caller) int) {
	allow := l.Allow()
	return func(n int, forwarded string, caller auth.Caller) (refused int) {
		r := &http.Request{RemoteAddr: "127.0.0.1:5", URL: &url.URL{Path: "/v1/rules"}, Header: http.Header{}}
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		if caller != (auth.Caller{}) {
			r = r.WithContext(auth.WithCaller(r.Context(), caller))
		}
		for range n {
			if !allow(r.Context(), r, nil) {
				refused++
			}
		}
		return refused
	}
}

var (
	nobody   = auth.Caller{}
	loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
)

// An address is the last hop that is no trusted proxy; the hops before it are hearsay.
func TestAddressesAreLimited(t *testing.T) {
	t.Parallel()
	refused := limited(localserver.Limits{Address: 1, Proxies: loopback})
	if n := refused(40, "203.0.113.1", nobody); n < 30 {
		t.Errorf("of 40 requests of an address %d are refused", n)
	}
	if n := refused(20, "198.51.100.7, 203.0.113.1, 127.0.0.9", nobody); n < 15 {
		t.Errorf("an address that names another before itself is refused %d times of 20", n)
	}
	if n := refused(2, "203.0.113.2", nobody); n > 0 {
		t.Errorf("another address is refused %d times", n)
	}
	for i := range 20 {
		if n := refused(1, fmt.Sprintf("2001:db8::%x", i), nobody); i > 10 && n == 0 {
			t.Error("addresses of one network of 64 bits are not one")
		}
	}
	if n := refused(2, "2001:db8:0:1::1", nobody); n > 0 {
		t.Errorf("another network of 64 bits is refused %d times", n)
	}
	if n := refused(20, "", nobody); n > 0 {
		t.Errorf("the proxy itself is refused %d times", n)
	}
	if n := limited(localserver.Limits{Address: 1})(20, "203.0.113.9", nobody); n < 15 {
		t.Errorf("without a trusted proxy the peer is the address, and is refused %d times of 20", n)
	}
}

// An address is the same with any port, in brackets or quotes. Those that a proxy does not name are one together.
func TestForwardedAddressesInEveryForm(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"203.0.113.2:%d", "[2001:db8::1]:%d", "[2001:db8::%x]", `"203.0.113.3:%d"`, `"[2001:db8::%x]"`, "[fe80::1%%eth0]:%d",
		"::ffff:203.0.113.4", "[::ffff:203.0.113.4]:%d", "unknown", "_hidden%d", "unix:", "[2001:db8::1:%d", "203.0.113.5 , ",
	} {
		refused, n := limited(localserver.Limits{Address: 1, Proxies: loopback}), 0
		for i := range 12 {
			forwarded := form
			if strings.Contains(form, "%") {
				forwarded = fmt.Sprintf(form, 40001+i)
			}
			n += refused(1, forwarded, nobody)
		}
		if n < 8 {
			t.Errorf("%s: %d of 12 requests are refused", form, n)
		}
	}
}

// Webhooks are not limited by their address as long as they are signed right.
func TestUnsignedWebhooksCountForTheirAddress(t *testing.T) {
	t.Parallel()
	allow := localserver.Limits{Address: 2, Proxies: loopback}.Allow()
	send := func(n int, address string, right bool) (taken int) {
		r := &http.Request{RemoteAddr: "127.0.0.1:5", URL: &url.URL{}, Header: http.Header{"X-Forwarded-For": {address}}}
		for range n {
			if allow(r.Context(), r, func() bool { return right }) {
				taken++
			}
		}
		return taken
	}
	if n := send(100, "203.0.113.1", true); n != 100 {
		t.Errorf("%d of 100 webhooks are taken", n)
	}
	if n := send(100, "203.0.113.2", false); n > 6 {
		t.Errorf("%d of 100 webhooks with a wrong signature are taken", n)
	}
	if n := send(100, "203.0.113.1", true); n != 100 {
		t.Errorf("beside those of another address %d of 100 webhooks are taken", n)
	}
}

// However much others send, the service has a quarter of the rate.
func TestTheServiceHasAShareOfTheRate(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{1, 2, 100} {
		refused := limited(localserver.Limits{All: rate, Proxies: loopback})
		refused(1_000, "203.0.113.1", nobody)
		if n := refused(max(1, rate/4), "203.0.113.2", auth.Caller{Service: true}); n > 0 {
			t.Errorf("at %d a second the service is refused %d times after a flood of others", rate, n)
		}
	}
}

// A user is limited on any address, and the service on none.
func TestUsersAreLimitedAndTheServiceIsNot(t *testing.T) {
	t.Parallel()
	refused := limited(localserver.Limits{Address: 1, User: 1, Proxies: loopback})
	n := 0
	for i := range 20 {
		n += refused(1, fmt.Sprint("203.0.113.", i), auth.Caller{User: "ann"})
	}
	if n < 15 {
		t.Errorf("a user on 20 addresses is refused %d times", n)
	}
	if n := refused(2, "198.51.100.1", auth.Caller{User: "bob"}); n > 0 {
		t.Errorf("another user is refused %d times", n)
	}
	if n := refused(40, "198.51.100.2", auth.Caller{Service: true}); n > 0 {
		t.Errorf("the service is refused %d times", n)
	}
}

// Secrets go over TLS or stay on the machine; only a trusted proxy may say that it was TLS.
func TestSecretsAreNotSentInTheClear(t *testing.T) {
	t.Parallel()
	l := localserver.Limits{Proxies: []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.9/32"),
	}}
	for name, c := range map[string]struct {
		peer, forwarded, proto string
		tls, want              bool
	}{
		"this machine":                    {peer: "127.0.0.1:5", want: true},
		"this machine by IPv6":            {peer: "[::1]:5", want: true},
		"another":                         {peer: "203.0.113.1:5"},
		"another over TLS":                {peer: "203.0.113.1:5", tls: true, want: true},
		"another that says so itself":     {peer: "203.0.113.1:5", proto: "https"},
		"another that says where":         {peer: "203.0.113.1:5", forwarded: "127.0.0.1"},
		"a proxy by https":                {peer: "127.0.0.1:5", forwarded: "203.0.113.1", proto: "https", want: true},
		"a proxy by http":                 {peer: "127.0.0.1:5", forwarded: "203.0.113.1", proto: "http"},
		"a proxy by http for the machine": {peer: "127.0.0.1:5", forwarded: "127.0.0.1", proto: "http"},
		"a proxy that does not say":       {peer: "127.0.0.1:5", forwarded: "203.0.113.1"},
		"another proxy by https":          {peer: "10.0.0.9:5", forwarded: "203.0.113.1", proto: "https", want: true},
		"another proxy that says nothing": {peer: "10.0.0.9:5"},
		"two proxies by https":            {peer: "127.0.0.1:5", forwarded: "203.0.113.1", proto: "HTTPS, https", want: true},
		"a proxy behind one by http":      {peer: "127.0.0.1:5", forwarded: "203.0.113.1", proto: "https, http"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{}}
		if c.tls {
			r.TLS = &tls.ConnectionState{}
		}
		for header, value := range map[string]string{"X-Forwarded-For": c.forwarded, "X-Forwarded-Proto": c.proto} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		if got := l.Private(r); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
