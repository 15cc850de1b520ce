package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/cespare/xxhash/v2"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
)

// An exchange is a request that an operation answers.
type exchange struct {
	*http.Request
	rules   *activity.Rules // that the answer is made by
	private bool            // the answer depends on the caller
	query   url.Values
	body    []byte               // as it was sent, of an operation that takes one
	rest    []activity.Violation // violations of the query and the path
	given   []string             // the users in the path, for whom others may stand
}

// exchangeKey is where an operation finds its exchange.
type exchangeKey struct{}

// exchangeOf returns the exchange that an operation is part of.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// decode decodes the body of the request into a struct, and returns its violations.
func decode(ctx context.Context, into any) *wire.Violations {
	found := wire.Decode(exchangeOf(ctx).body, into)
	found.InPath(exchangeOf(ctx).given...)
	return found
}

// refused returns the answer to a request whose body has violations, or the rest of it, so that all are listed
// together; nil for none.
func refused(ctx context.Context, found *wire.Violations) *Problem {
	return problemWith(found, exchangeOf(ctx).rest)
}

// readBody reads a body of JSON of at most so many bytes, or says why not.
func readBody(r *http.Request, most int64) ([]byte, *Problem) {
	if kind := r.Header.Get("Content-Type"); !isJSON(kind) {
		return nil, newProblem(CodeMediaType, "the body must be application/json, in UTF-8",
			newViolation(activity.CodeMediaType, "header.Content-Type", "must be application/json", kind))
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, newProblem(CodeMediaType, "the body must not be compressed",
			newViolation(activity.CodeMediaType, "header.Content-Encoding", "must be left out", coding))
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	switch {
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return nil, badBody("cannot be read")
	case int64(len(body)) > most:
		return nil, newProblem(CodeTooLarge, fmt.Sprintf("the body must be at most %d KiB", most>>10))
	default:
		return body, nil // one that was cut short is not JSON
	}
}

// isJSON says whether a content type is that of JSON in UTF-8. None at all is taken for it.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	kind, parameters, err := mime.ParseMediaType(contentType)
	charset, given := parameters["charset"]
	return err == nil && kind == "application/json" && (!given || strings.EqualFold(charset, "utf-8"))
}

// badBody is the problem of a body whose bytes are not JSON.
func badBody(message string) *Problem {
	return newProblem(CodeInvalidJSON, "the body is not valid JSON",
		newViolation(activity.CodeInvalidJSON, "body", message, nil))
}

// How long others may keep a public answer. A live board is fresh: a cache in
// front answers a crowd for two seconds, a browser always asks.
const (
	cacheLive   = "public, max-age=0, s-maxage=2"
	cacheFinal  = "public, max-age=300" // it changes when a user is erased, who is to be gone soon; the ETag tells
	cacheStatic = "public, max-age=60"  // a deployment changes it
)

// withStatus is an answer whose status is not always 200.
type withStatus interface{ status() int }

const xmlType = "text/xml" // of SQS's answers

// answer sends the answer to an operation: a read with its ETag, and without the bytes for a client that has them.
func (x *exchange) answer(w http.ResponseWriter, v any, o *route) {
	status, body, cache := cmp.Or(o.status, http.StatusOK), []byte(nil), o.cache
	isRead := x.Method == http.MethodGet || x.Method == http.MethodHead
	switch v := v.(type) {
	case struct{}: // there is no content
	case queued:
		w.Header().Set("Content-Type", xmlType)
		body = v.xml()
	default:
		w.Header().Set("Content-Type", "application/json")
		body = marshal(v)
	}
	if b, ok := v.(Board); ok && b.Final && cache != "" { // caches may keep it for longer
		cache = cacheFinal
	}
	if cache != "" {
		w.Header().Set("Cache-Control", cache)
	}
	if v, ok := v.(withStatus); ok {
		status, isRead = v.status(), false
	}
	if isRead {
		serveTagged(w, x.Request, body, answerTag(body))
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// asOf is the member of answers that moves with the clock alone: their tags are weak, and leave it out.
const asOf = `"asOf":"`

// marshal writes a value of ours as JSON, for readers that are not HTML.
func marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(fmt.Sprintf("httpapi: encode an answer: %v", err))
	}
	return b.Bytes()
}

// etagOf returns the tag of a body. A hash of 64 bits is enough, as it only tells the states of one address
// apart, and nobody gains by making two of them equal.
func etagOf(body []byte) string { return fmt.Sprintf(`"%016x"`, xxhash.Sum64(body)) }

// answerTag is etagOf, and a weak tag of the rest for an answer with asOf.
func answerTag(body []byte) string {
	start := bytes.Index(body, []byte(asOf))
	if start < 0 {
		return etagOf(body)
	}
	moment := body[start : start+len(asOf)+bytes.IndexByte(body[start+len(asOf):], '"')+1]
	hash := xxhash.New()
	for part := range bytes.SplitSeq(body, moment) {
		_, _ = hash.Write(part)
	}
	return fmt.Sprintf(`W/"%016x"`, hash.Sum64())
}

// isMatched says whether a request with these headers has the answer with the tag already, by the weak comparison
// of RFC 9110.
func isMatched(header http.Header, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(header["If-None-Match"], ","), ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

// A response is an answer that is held until it is whole.
type response struct {
	header http.Header
	status int // 0 until something is written
	body   []byte
}

// Header returns the headers.
func (r *response) Header() http.Header { return r.header }

// WriteHeader sets the status; the first one counts.
func (r *response) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write adds to the body.
func (r *response) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.body = append(r.body, p...)
	return len(p), nil
}

// send sends the answer, whose headers are w's.
func (r *response) send(w http.ResponseWriter) {
	if r.status != 0 {
		w.WriteHeader(r.status)
	}
	_, _ = w.Write(r.body) //nolint:gosec // an answer of ours; the client may be gone
}
