package events

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

var (
	// errGone is wrapped if the receiver wants no events any more: 410.
	errGone   = errors.New("the receiver answers 410: it wants no events")
	errScheme = errors.New("the address does not begin with https://; EVENTS_PRIVATE allows it")
)

// maxAnswer is how much of an answer is read, so that its connection can be used again.
const maxAnswer = 16 << 10

// post sends a body. The error says why the receiver has not taken it, without the address, which may have
// a secret in it.
func (s *Sender) post(ctx context.Context, address string, headers map[string]string, body []byte) error {
	if !s.Private && !strings.HasPrefix(strings.ToLower(address), "https://") {
		return errScheme
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address is not one of HTTP")
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Laurel")
	response, err := s.client.Do(request)
	if err != nil {
		return withoutAddress(err)
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.CopyN(io.Discard, response.Body, maxAnswer) // the status has told all
	switch code := response.StatusCode; {
	case code >= 200 && code < 300:
		return nil
	case code == http.StatusGone:
		return errGone
	case code >= 300 && code < 400:
		return fmt.Errorf("the receiver answers %d: redirects are not followed", code)
	default:
		return fmt.Errorf("the receiver answers %d", code)
	}
}

// withoutAddress returns an error without the address that package net/http adds.
func withoutAddress(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}

// errPrivate is wrapped by the error of an address in a private network.
var errPrivate = errors.New("is in a private network; EVENTS_PRIVATE allows it")

// reserved are networks that are not the internet's, beside those that package netip knows: of this host,
// of carriers' NAT, for protocols, for tests of networks, and those that are not in use.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"), netip.MustParsePrefix("::/96"),
	netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("fec0::/10"),
}

// within are networks of IPv6 whose addresses contain one of IPv4, from a byte on; a gateway sends their
// packets there: NAT64 and 6to4.
var within = map[netip.Prefix]int{
	netip.MustParsePrefix("64:ff9b::/96"): 12,
	netip.MustParsePrefix("2002::/16"):    2,
}

// isPublic says whether an address is one of the internet. The services of clouds that tell a machine's own
// secrets are at link-local and unique local addresses, which are not.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	for prefix, offset := range within {
		if a.WithZone("").Is6() && prefix.Contains(a.WithZone("")) {
			octets := a.As16()
			return isPublic(netip.AddrFrom4([4]byte(octets[offset:])))
		}
	}
	return a.Zone() == "" && a.IsGlobalUnicast() && !a.IsPrivate() &&
		!slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// newClient returns a client that follows no redirect, uses no proxy, and connects to addresses of the
// internet alone, or to any. The very address of each connection is checked, after its name was looked up: a
// name that means another address the next time changes nothing.
func newClient(private bool) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err == nil && !private && !isPublic(target.Addr()) {
			err = fmt.Errorf("%s %w", target.Addr(), errPrivate)
		}
		return err
	}}
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second, MaxIdleConnsPerHost: 1,
			IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}
