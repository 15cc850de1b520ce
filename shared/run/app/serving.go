package app

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Listening says how a server of one's own listens, and its limits.
type Listening struct {
	Addr, MetricsAddr string         // host:port; MetricsAddr "" for no metrics
	Origins           []string       // whose pages may call; nil: any
	Proxies           []netip.Prefix // whose X-Forwarded-For is believed
	Drain             time.Duration
	NoSync            bool

	Rate, UserRate, AddressRate int // requests a second; 0 for any number
}

const maxRate = 1_000_000

// address returns a parser of an address to listen on.
func address(field *string) func(string) error {
	return func(text string) error {
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			err = number(port, 0, 65_535, new(int))
		}
		if err != nil {
			return fmt.Errorf("%q is not an address such as localhost:8080", text)
		}
		*field = text
		return nil
	}
}

func (r *reader) origins(text string) error {
	r.Serving.Origins = nil
	if text == "*" {
		return nil
	}
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		if !IsOrigin(one) {
			return fmt.Errorf("%q is not an origin such as https://forum.example, nor is the list *", one)
		}
		r.Serving.Origins = append(r.Serving.Origins, one)
	}
	return nil
}

// embedOrigins reads origins as a policy of frames takes them.
func (r *reader) embedOrigins(text string) error {
	for origin := range strings.SplitSeq(text, ",") {
		origin = strings.TrimSpace(origin)
		if origin == "" || origin == "*" {
			continue
		}
		if !IsOrigin(origin) {
			return fmt.Errorf("%q is not an origin, such as https://forum.example.com", origin)
		}
		r.EmbedOrigins = append(r.EmbedOrigins, origin)
	}
	return nil
}

// IsOrigin says whether a text is an origin of pages, which can stand in a header as it is.
func IsOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && text == u.Scheme+"://"+u.Host &&
		!strings.ContainsAny(u.Host, "; '\"")
}

func (r *reader) trustedProxies(text string) error {
	r.Serving.Proxies = nil
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		network, err := netip.ParsePrefix(one)
		if address, single := netip.ParseAddr(one); single == nil {
			network, err = address.Prefix(address.BitLen())
		}
		if err != nil {
			return fmt.Errorf("%q is not an address or a network such as 10.0.0.0/8", one)
		}
		r.Serving.Proxies = append(r.Serving.Proxies, network)
	}
	return nil
}

func (r *reader) syncing(text string) error {
	if text != "on" && text != "off" {
		return fmt.Errorf("%q is neither on nor off", text)
	}
	r.Serving.NoSync = text == "off"
	return nil
}

func (r *reader) drain(text string) (err error) {
	if r.Serving.Drain, err = time.ParseDuration(text); err != nil || r.Serving.Drain <= 0 || r.Serving.Drain > time.Hour {
		return fmt.Errorf("%q is not a duration up to an hour, such as 20s", text)
	}
	return nil
}
