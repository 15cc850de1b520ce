package localserver

import (
	"context"
	"net/http"
	"slices"

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

// stage does what API Gateway does in front of the functions: CORS, the throttle, and who calls. The
// rest is for the API, which tells more of a refusal than API Gateway.
type stage struct {
	api     http.Handler
	tokens  *token.Verifier
	origins []string // nil: any
	limits  *limits

	allow func(*http.Request) string // the methods of a path, "" for one that has none
}

// ServeHTTP answers one request.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.allowOrigin(w, r)
	if r.Method == http.MethodOptions && r.Header.Get("Origin") != "" {
		s.preflight(w, r)
		return
	}
	ctx := s.authorize(r)
	if !s.limits.allow(ctx, r) {
		httpapi.TooManyRequests(w)
		return
	}
	if r.URL.Path == httpapi.PairPath && !s.limits.private(r) {
		httpapi.TLSRequired(w)
		return
	}
	s.api.ServeHTTP(w, r.WithContext(ctx))
}

// preflight answers a page that asks what it may do, of every path: as API Gateway does.
func (s *stage) preflight(w http.ResponseWriter, r *http.Request) {
	if methods := s.allow(r); methods != "" {
		w.Header().Set("Allow", methods)
	}
	w.WriteHeader(http.StatusNoContent)
}

// allowOrigin tells a browser whether a page may read the answer.
func (s *stage) allowOrigin(w http.ResponseWriter, r *http.Request) {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return
	}
	header := w.Header()
	if s.origins == nil {
		origin = CORSOrigins
	} else {
		header.Add("Vary", "Origin")
		if !slices.Contains(s.origins, origin) {
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

// authorize returns a context that says who calls, or why nobody does.
func (s *stage) authorize(r *http.Request) context.Context {
	caller, err := s.tokens.Verify(r.Context(), token.Bearer(r.Header.Get("Authorization")))
	if err != nil {
		return httpapi.WithRefusal(r.Context(), err)
	}
	return auth.WithCaller(r.Context(), caller)
}
