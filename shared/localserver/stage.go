package localserver

import (
	"context"
	"errors"
	"log/slog"
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
	CORSExposed = "etag,retry-after"
	CORSMaxAge  = "86400"
)

// A verifier says whose a token is, with an error of package token.
type verifier interface {
	Verify(ctx context.Context, token string) (auth.Caller, error)
}

// stage answers what API Gateway does in front of the functions, as it does: CORS, the
// throttle, and tokens that the authorizer refuses. The rest is for the API.
type stage struct {
	api     http.Handler
	tokens  verifier
	origins []string // nil: any
	limits  *limits
	log     *slog.Logger
}

// ServeHTTP answers one request.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.allowOrigin(w, r)
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	ctx := s.authorize(r)
	if !s.limits.allow(ctx, r) {
		w.Header().Set("Retry-After", "1")
		message{http.StatusTooManyRequests, "Too Many Requests"}.ServeHTTP(w, r)
		return
	}
	s.api.ServeHTTP(w, r.WithContext(ctx))
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

// authorize returns a context that says who calls, or how a route that needs to know it
// answers: 401 without the header Authorization, 403 with a token that is not valid.
func (s *stage) authorize(r *http.Request) context.Context {
	header := r.Header.Get("Authorization")
	if header == "" { // the authorizer's identity source is missing, and it is not asked
		return httpapi.WithRefusal(r.Context(), message{http.StatusUnauthorized, "Unauthorized"})
	}
	caller, err := s.tokens.Verify(r.Context(), token.Bearer(header))
	switch {
	case errors.Is(err, token.ErrInvalid):
		return httpapi.WithRefusal(r.Context(), message{http.StatusForbidden, "Forbidden"})
	case err != nil:
		s.log.ErrorContext(r.Context(), "tokens cannot be checked", "cause", err)
		return httpapi.WithRefusal(r.Context(), message{http.StatusInternalServerError, "Internal Server Error"})
	default:
		return auth.WithCaller(r.Context(), caller)
	}
}

// A message is an answer of API Gateway itself, which can be no problem.
type message struct {
	status int
	text   string
}

// ServeHTTP answers with the message.
func (m message) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for _, name := range []string{"Cache-Control", "Content-Security-Policy", "Vary", "X-Content-Type-Options"} {
		w.Header().Del(name) // of the functions
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(m.status)
	_, _ = w.Write([]byte(`{"message":"` + m.text + `"}`))
}
