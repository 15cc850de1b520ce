package httpapi

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// minCompressed is the least number of bytes that are compressed.
const minCompressed = 1_024

// Compressed returns a handler that compresses the answers of another to GET with gzip, for clients that
// accept it. An answer is the same without it: status, headers and, decompressed, the bytes. An answer to no read
// stays as it is: receipts are short, and the function that writes them does not carry this. A client that accepts gzip
// gets weak tags, which hold for both forms (RFC 9110, 8.8.1): a strong one is of one of them.
func Compressed(next http.Handler) http.Handler {
	writers := sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
		return w
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		header := w.Header()
		header.Add("Vary", "Accept-Encoding")
		if !accepts(r.Header, "gzip") {
			next.ServeHTTP(w, r)
			return
		}
		answer := &response{header: header}
		next.ServeHTTP(answer, r)
		if tag := header.Get("ETag"); strings.HasPrefix(tag, `"`) {
			header.Set("ETag", "W/"+tag)
		}
		if len(answer.body) < minCompressed || header.Get("Content-Encoding") != "" {
			answer.send(w)
			return
		}
		header.Set("Content-Encoding", "gzip")
		header.Del("Content-Length")
		w.WriteHeader(answer.status)
		zip, _ := writers.Get().(*gzip.Writer)
		zip.Reset(w)
		_, _ = zip.Write(answer.body) // the client may be gone
		_ = zip.Close()
		writers.Put(zip)
	})
}

// accepts says whether a client takes a content coding.
func accepts(header http.Header, wanted string) bool {
	for coding := range strings.SplitSeq(strings.Join(header["Accept-Encoding"], ","), ",") {
		name, quality, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), wanted) {
			weight, given := strings.CutPrefix(strings.TrimSpace(quality), "q=")
			return !given || strings.Trim(weight, "0.") != ""
		}
	}
	return false
}

// RequestIDHeader has the id of a request, in the request and in its answer.
const RequestIDHeader = "X-Request-Id"

// alphanumeric are the letters and digits of ASCII.
const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

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
	id := r.Header.Get(RequestIDHeader) // API Gateway's ends with =
	if id == "" || len(id) > 64 || strings.Trim(id, alphanumeric+"-_.=+") != "" {
		id = rand.Text()
	}
	w.Header()[RequestIDHeader] = []string{id}
	return context.WithValue(r.Context(), requestIDKey{}, id)
}

// requestID returns the id of the request that a context is of, "" for none.
func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// LogRequests returns a log's handler that adds to each line of a request its id, as "request".
func LogRequests(next slog.Handler) slog.Handler { return requestLog{next} }

type requestLog struct{ slog.Handler }

// Handle writes one line.
func (l requestLog) Handle(ctx context.Context, record slog.Record) error {
	if id := requestID(ctx); id != "" {
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

// CDNHeader is the header in which a CDN sends its secret.
const CDNHeader = "X-Laurel-Cdn"

// ThroughCDN returns a handler that answers only requests with the secret of a CDN, and others with 403: a client
// that asks the API itself would pass by the CDN's limits. Without a secret it is the handler itself.
func ThroughCDN(secret string, next http.Handler) http.Handler {
	if secret == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get(CDNHeader)), []byte(secret)) == 0 {
			w.Header().Set("Cache-Control", "private, no-store")
			newProblem(CodeForbidden, "the API answers at the address of its CDN only").write(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}
