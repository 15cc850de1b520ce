package localserver_test

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"laurel/internal/harness"
	"laurel/shared/hooks"
	"laurel/shared/httpapi"
	"laurel/shared/localserver"
)

// Secrets go over TLS or stay on the machine; who says that it was TLS is a trusted proxy.
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

// Secrets are given by a code, whatever a header says that no trusted proxy has sent; and neither is in a log.
func TestSecretsAreInNoLog(t *testing.T) {
	t.Parallel()
	f := open(t, func(o *httpapi.Options) {
		o.Hooks, o.UserSecret = hooks.Secrets{"standard": {"hook-secret-1"}}, userSecret
	})
	code, _, err := f.Records.NewPairing(t.Context())
	harness.OK(t, err)
	a := f.Do(http.MethodPost, "/v1/pair", "", `{"code":"`+code+`"}`, "X-Forwarded-For", "203.0.113.1")
	f.stop()
	log := f.Out.String() + f.access.String()
	if !strings.Contains(a.Body, userSecret) || a.Header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(log, "/v1/pair") || strings.Contains(log, code) || strings.Contains(log, "secret") {
		t.Errorf("%d %v %s; logged %s", a.Status, a.Header, a.Body, log)
	}
}
