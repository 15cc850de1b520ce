package localserver

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"golang.org/x/time/rate"

	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
	"laurel/shared/api/httpapi"
)

// The defaults of the stack; template.yaml has them, and a test compares the two.
const (
	CORSOrigins = "*"
	CORSMethods = "DELETE,GET,HEAD,POST,PUT"
	CORSHeaders = "authorization,content-type,if-none-match"
	CORSExposed = "etag,retry-after,x-request-id"
	CORSMaxAge  = "86400"
)

// stage does the work of API Gateway in front of the functions: CORS, the throttle, and identifying the caller. The
// rest is for the API, which tells more of a refusal than API Gateway.
func (s *Server) stage(w http.ResponseWriter, r *http.Request) {
	s.allowOrigin(w, r)
	if r.Method == http.MethodOptions && r.Header.Get("Origin") != "" { // of every path, as API Gateway does
		if methods := s.cache.Allow(r); methods != "" {
			w.Header().Set("Allow", methods)
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	ctx := r.Context()
	if caller, err := s.tokens.Verify(ctx, token.Bearer(r.Header.Get("Authorization"))); err != nil {
		ctx = httpapi.WithRefusal(ctx, err)
	} else {
		ctx = auth.WithCaller(ctx, caller)
	}
	signed := s.signed(r)
	if !s.limits.allow(ctx, r, signed) {
		s.cache.TooManyRequests(w, r)
		return
	}
	if r.URL.Path == httpapi.PairPath && !s.limits.private(r) {
		s.Requests.RefusePairing(w, r)
		return
	}
	s.cache.ServeHTTP(w, r.WithContext(ctx))
}

// signed returns a function that says whether a request is a webhook with a valid signature. To know that, its body is
// read.
func (s *Server) signed(r *http.Request) func() bool {
	source, hook := strings.CutPrefix(r.URL.Path, hookPath)
	if !hook || r.Method != http.MethodPost {
		return nil
	}
	return func() bool {
		body, err := io.ReadAll(io.LimitReader(r.Body, httpapi.MaxHook+1))
		rest := r.Body
		r.Body = struct { // the rest after it, such as an error, comes again
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), rest), rest}
		return err == nil && len(body) <= httpapi.MaxHook &&
			s.Requests.Hooks.Verify(source, r.Header.Get, body, s.Requests.Now()) == nil
	}
}

// hookPath is the prefix of the paths of webhooks.
const hookPath = "/v1/hooks/"

// allowOrigin tells a browser whether a page may read the answer.
func (s *Server) allowOrigin(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return
	}
	header := w.Header()
	if s.Origins == nil {
		origin = CORSOrigins
	} else {
		header.Add("Vary", "Origin")
		if !slices.Contains(s.Origins, origin) {
			return
		}
	}
	header.Set("Access-Control-Allow-Origin", origin)
	if r.Method != http.MethodOptions {
		header.Set("Access-Control-Expose-Headers", CORSExposed)
		return
	}
	header.Set("Access-Control-Allow-Methods", CORSMethods)
	header.Set("Access-Control-Allow-Headers", CORSHeaders)
	header.Set("Access-Control-Max-Age", CORSMaxAge)
}

// Limits are requests a second, at once twice as many; 0 for any number.
type Limits struct {
	All     int // of all together
	User    int // of one user's tokens
	Address int // of one address without the service's token

	// Proxies may say in X-Forwarded-For whom they ask for, and in X-Forwarded-Proto how. Their own requests
	// have no limit by address.
	Proxies []netip.Prefix
}

// limits apply Limits. A quarter of all is the service's alone: requests of others do not keep reports out.
type limits struct {
	all, service *rate.Limiter
	users        *each[string]
	addresses    *each[netip.Prefix]
	proxies      []netip.Prefix
}

func (l Limits) open() *limits {
	share := l.All / 4
	if l.All > 0 {
		share = max(share, 1)
	}
	return &limits{
		all: newLimiter(max(l.All-share, min(l.All, 1))), service: newLimiter(share), proxies: l.Proxies,
		users: &each[string]{perSecond: l.User}, addresses: &each[netip.Prefix]{perSecond: l.Address},
	}
}

func newLimiter(perSecond int) *rate.Limiter {
	if perSecond <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), 2*perSecond)
}

// allow says whether a request may be served. The service is limited with all together alone, as are webhooks, which
// most forums send once: signed says whether one is the forum's, nil for other requests. One that is not counts as a
// request of its address, which may send no further one when it has sent too many.
func (l *limits) allow(ctx context.Context, r *http.Request, signed func() bool) bool {
	caller, known := auth.CallerFrom(ctx)
	service := known && caller.Service
	var address *rate.Limiter
	if hop := l.address(r); !service && !l.trusts(hop) {
		address = l.addresses.limiter(household(hop))
	}
	if signed != nil && !service {
		if address != nil && address.Limit() != rate.Inf && address.Tokens() < 1 {
			return false
		}
		service = signed()
	}
	if service {
		return l.all.Allow() || l.service.Allow()
	}
	return (address == nil || address.Allow()) && (!known || l.users.limiter(caller.User).Allow()) && l.all.Allow()
}

// household is an address of IPv4, or 64 bits of one of IPv6.
func household(address netip.Addr) netip.Prefix {
	prefix, _ := address.Prefix(min(address.BitLen(), 64))
	return prefix
}

// address returns the address of the caller: the last hop that is no proxy of ours. All callers that a proxy names by
// no address are one.
func (l *limits) address(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	address := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header["X-Forwarded-For"], ","), ",")
	for _, hop := range slices.Backward(hops) {
		if hop = strings.TrimSpace(hop); hop == "" {
			continue
		}
		if !l.trusts(address) {
			break
		}
		address = hopOf(hop)
	}
	return address
}

// hopOf reads an address as proxies write it: alone, in brackets, with a port, in quotes; the zero one for none.
func hopOf(hop string) netip.Addr {
	hop = strings.Trim(hop, `"`)
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	if err != nil {
		with, _ := netip.ParseAddrPort(hop)
		address = with.Addr()
	}
	return address.Unmap().WithZone("")
}

// private says whether nobody on the way can read an answer: the request came from this machine or over TLS,
// as a proxy of ours has it, which says so.
func (l *limits) private(r *http.Request) bool {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	if proto := r.Header["X-Forwarded-Proto"]; len(proto) > 0 && l.trusts(peer.Addr().Unmap()) {
		hops := strings.Split(strings.Join(proto, ","), ",")
		return !slices.ContainsFunc(hops, func(hop string) bool {
			return !strings.EqualFold(strings.TrimSpace(hop), "https")
		})
	}
	return r.TLS != nil || l.address(r).IsLoopback()
}

func (l *limits) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(l.proxies, func(p netip.Prefix) bool { return p.Contains(address) })
}

// maxLimiters is how many limiters one half of each has. One that is dropped gets a full
// bucket again, as it has after two seconds without a request.
const maxLimiters = 1 << 14

// each limits by a key. It keeps the last maxLimiters keys or more, at most twice as many.
type each[K comparable] struct {
	perSecond int

	mu          sync.Mutex
	now, before map[K]*rate.Limiter
}

func (e *each[K]) limiter(key K) *rate.Limiter {
	if e.perSecond <= 0 {
		return newLimiter(0)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	limiter := e.now[key]
	if limiter == nil {
		if limiter = e.before[key]; limiter == nil {
			limiter = newLimiter(e.perSecond)
		}
		if e.now == nil || len(e.now) == maxLimiters {
			e.before, e.now = e.now, map[K]*rate.Limiter{}
		}
		e.now[key] = limiter
	}
	return limiter
}
