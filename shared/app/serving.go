package app

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Listening says how a server of one's own listens, and what it bounds.
type Listening struct {
	Addr, MetricsAddr string         // host:port; MetricsAddr "" for no metrics
	Origins           []string       // whose pages may call; nil: any
	Proxies           []netip.Prefix // whose X-Forwarded-For is believed
	Drain             time.Duration
	NoSync            bool

	Rate, UserRate, AddressRate int // requests a second; 0 for any number
}

const maxRate = 1_000_000

// servingSettings say how a server listens.
func servingSettings() []Setting {
	return []Setting{
		{
			Env: "LAUREL_ADDR", Flag: "addr", Default: "localhost:8080", Placeholder: "HOST:PORT", parse: address(listens),
			Help: "Where to listen, behind a proxy that ends TLS; port 0 is any free one.",
		},
		{
			Env: "LAUREL_METRICS_ADDR", Flag: "metrics-addr", Placeholder: "HOST:PORT", parse: address(listensForMetrics),
			Help: "Where to serve metrics for Prometheus, at /metrics (default: nowhere).",
		},
		{
			Env: "LAUREL_ORIGINS", Flag: "origins", Default: "*", Placeholder: "LIST", parse: origins,
			Help: "Origins whose pages may call, separated by commas: https://forum.example.",
		},
		{
			Env: "LAUREL_TRUSTED_PROXIES", Flag: "trusted-proxies", Default: "127.0.0.0/8,::1", Placeholder: "LIST",
			parse: trustedProxies, Help: "Addresses or networks whose X-Forwarded-For counts.",
		},
		{
			Env: "LAUREL_RATE", Flag: "rate", Default: "500", Placeholder: "N",
			Help:  "Requests a second of all callers, and twice as many at once; above them the answer is 429; 0 for no limit.",
			field: func(c *Config) any { return &c.Serving.Rate }, most: maxRate,
		},
		{
			Env: "LAUREL_USER_RATE", Flag: "user-rate", Default: "10", Placeholder: "N", most: maxRate,
			Help:  "Requests a second with tokens of one user, and twice as many at once.",
			field: func(c *Config) any { return &c.Serving.UserRate },
		},
		{
			Env: "LAUREL_ADDRESS_RATE", Flag: "address-rate", Default: "50", Placeholder: "N", most: maxRate,
			Help:  "Requests a second of one address, and twice as many at once; not of the service and hooks.",
			field: func(c *Config) any { return &c.Serving.AddressRate },
		},
		{
			Env: "LAUREL_SYNC", Flag: "sync", Default: "on", Placeholder: "on|off", parse: syncing,
			Help: "Answer when an activity is on the disk of --data. When it is off, a loss of power (not of the " +
				"process) loses acknowledged activities, and may damage the file.",
		},
		{
			Env: "LAUREL_DRAIN", Flag: "drain", Default: "20s", Placeholder: "DURATION", parse: drain,
			Help: "How long open requests may take after a signal to stop.",
		},
		{
			Env: "LOG_LEVEL", Flag: "log-level", Default: "info", Placeholder: "LEVEL", parse: logLevel,
			Help: "The least level to log.",
		},
	}
}

func listens(c *Config) *string { return &c.Serving.Addr }

func listensForMetrics(c *Config) *string { return &c.Serving.MetricsAddr }

// address returns what reads where to listen.
func address(field func(*Config) *string) func(*reader, string) error {
	return func(r *reader, text string) error {
		_, port, err := net.SplitHostPort(text)
		if err == nil {
			err = number(port, 0, 65_535, new(int))
		}
		if err != nil {
			return fmt.Errorf("%q is not an address such as localhost:8080", text)
		}
		*field(r.Config) = text
		return nil
	}
}

func origins(r *reader, text string) error {
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
func embedOrigins(r *reader, text string) error {
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

func trustedProxies(r *reader, text string) error {
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

func syncing(r *reader, text string) error {
	if text != "on" && text != "off" {
		return fmt.Errorf("%q is neither on nor off", text)
	}
	r.Serving.NoSync = text == "off"
	return nil
}

func drain(r *reader, text string) (err error) {
	if r.Serving.Drain, err = time.ParseDuration(text); err != nil || r.Serving.Drain <= 0 || r.Serving.Drain > time.Hour {
		return fmt.Errorf("%q is not a duration up to an hour, such as 20s", text)
	}
	return nil
}
