package httpapi

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
)

// RequestIDHeader has the id of a request, in the request and in its answer.
const RequestIDHeader = "X-Request-Id"

// maxRequestID is the longest id of a request in bytes.
const maxRequestID = 64

// requestIDBytes are those of an id beside letters and digits. API Gateway's ends with =.
const requestIDBytes = "-_.=+"

type requestIDKey struct{}

// WithRequestID returns a handler that identifies each request.
func WithRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(Identify(w, r)))
	})
}

// Identify gives a request an id: the one that came with it, if that is plain text of at most 64 bytes, else
// one of its own. The answer names it; by the context that is returned its problem and the log do, too.
func Identify(w http.ResponseWriter, r *http.Request) context.Context {
	id := r.Header.Get(RequestIDHeader)
	if !isRequestID(id) {
		id = rand.Text()
	}
	w.Header()[RequestIDHeader] = []string{id}
	return context.WithValue(r.Context(), requestIDKey{}, id)
}

// RequestID returns the id of the request that a context is of, "" for none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

func isRequestID(id string) bool {
	strange := func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(requestIDBytes, r)
	}
	return id != "" && len(id) <= maxRequestID && !strings.ContainsFunc(id, strange)
}

// LogRequests returns a log's handler that adds to each line of a request its id, as "request".
func LogRequests(next slog.Handler) slog.Handler { return requestLog{next} }

type requestLog struct{ slog.Handler }

// Handle writes one line.
func (l requestLog) Handle(ctx context.Context, record slog.Record) error {
	if id := RequestID(ctx); id != "" {
		record.AddAttrs(slog.String("request", id))
	}
	return l.Handler.Handle(ctx, record)
}

// WithAttrs keeps the request when there are further attributes.
func (l requestLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup keeps the request when there is a group.
func (l requestLog) WithGroup(name string) slog.Handler {
	return requestLog{l.Handler.WithGroup(name)}
}
