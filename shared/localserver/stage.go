package localserver

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"golang.org/x/time/rate"

	"laurel/shared/auth"
	"laurel/shared/auth/token"
	"laurel/shared/httpapi"
)

// What the stack sets by default; template.yaml has it, and a test compares the two.
const (
	CORSOrigins = "*"
	CORSMethods = "DELETE,GET,HEAD,POST,PUT"
	CORSHeaders = "authorization,content-type,if-none-match"
	CORSExposed = "etag,retry-after,x-request-id"
	CORSMaxAge  = "86400"
)

// stage does what API Gateway does in front of the functions: CORS, the throttle, and who calls. The rest is for the
// API, which tells more of a refusal than API Gateway.
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
	if !s.limits.allow(ctx, r) {
		httpapi.TooManyRequests(w)
		return
	}
	if r.URL.Path == httpapi.PairPath && !s.limits.private(r) {
		httpapi.TLSRequired(w)
		return
	}
	s.cache.ServeHTTP(w, r.WithContext(ctx))
}

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

// limits are Limits at work.
type limits struct {
	all       *rate.Limiter
	users     *each[string]
	addresses *each[netip.Prefix]
	proxies   []netip.Prefix
}

func (l Limits) open() *limits {
	return &limits{
		all: newLimiter(l.All), proxies: l.Proxies,
		users: &each[string]{perSecond: l.User}, addresses: &each[netip.Prefix]{perSecond: l.Address},
	}
}

func newLimiter(perSecond int) *rate.Limiter {
	if perSecond <= 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), 2*perSecond)
}

// allow says whether a request may be served. The service is limited with all together alone,
// and so are hooks, which most forums send once.
func (l *limits) allow(ctx context.Context, r *http.Request) bool {
	caller, known := auth.CallerFrom(ctx)
	if known && caller.Service || strings.HasPrefix(r.URL.Path, "/v1/hooks/") {
		return l.all.Allow()
	}
	address := l.address(r)
	household, _ := address.Prefix(min(address.BitLen(), 64)) // an address of IPv4, or 64 bits of one of IPv6
	if !l.trusts(address) && !l.addresses.allow(household) {
		return false
	}
	return (!known || l.users.allow(caller.User)) && l.all.Allow()
}

// address returns who asks: the last hop that is no proxy of ours.
func (l *limits) address(r *http.Request) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	address := peer.Addr().Unmap()
	forwarded := r.Header["X-Forwarded-For"]
	if len(forwarded) == 0 {
		return address
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for _, hop := range slices.Backward(hops) {
		next, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil || !l.trusts(address) {
			break
		}
		address = next.Unmap().WithZone("")
	}
	return address
}

// private says whether nobody on the way can read an answer: the request came from this machine or over TLS,
// as a proxy of ours has it, which says so.
func (l *limits) private(r *http.Request) bool {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	if proto := r.Header.Get("X-Forwarded-Proto"); proto != "" && l.trusts(peer.Addr().Unmap()) {
		return proto == "https"
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

func (e *each[K]) allow(key K) bool {
	if e.perSecond <= 0 {
		return true
	}
	e.mu.Lock()
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
	e.mu.Unlock()
	return limiter.Allow()
}
