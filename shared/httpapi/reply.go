package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/cespare/xxhash/v2"

	"laurel/shared/activity"
)

// How long others may keep a public answer. A live board is fresh: a cache in
// front answers a crowd for two seconds, a browser always asks.
const (
	cacheLive   = "public, max-age=0, s-maxage=2"
	cacheFinal  = "public, max-age=300" // it changes when somebody is erased, who is to be gone soon; the ETag tells
	cacheStatic = "public, max-age=60"  // what a deployment changes
)

// reply is an answer on its way, in bytes.
type reply struct {
	Status       int
	ContentType  string `header:"Content-Type"`
	CacheControl string `header:"Cache-Control"`
	ETag         string
	Body         []byte
}

// public is an answer that depends on the address alone and may be kept.
type public interface{ cacheControl() string }

// stamped is an answer of which some bytes move with the clock alone.
type stamped interface{ asOf() string }

// withStatus is an answer whose status is not always 200.
type withStatus interface{ status() int }

// An xmlAnswer is an answer that is not ours to choose: SQS's.
type xmlAnswer interface{ xml() []byte }

const xmlType = "text/xml"

// An exchange is a request that an operation answers.
type exchange struct {
	*http.Request
	body []byte               // as it was sent, of an operation that takes one
	rest []activity.Violation // violations of the query and the path
}

// exchangeKey is where an operation finds its exchange.
type exchangeKey struct{}

// exchangeOf returns the exchange that an operation is part of.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// newReply turns a value into bytes; what was read with its ETag, and without the
// bytes for who has them. Caches keep what is public alone; a client may keep the rest
// itself.
func newReply(ctx context.Context, v any) (*reply, error) {
	if v, ok := v.(xmlAnswer); ok {
		return &reply{Status: http.StatusOK, ContentType: xmlType, Body: v.xml()}, nil
	}
	x := exchangeOf(ctx)
	body, err := marshal(v)
	if err != nil {
		return nil, err
	}
	r := &reply{Status: http.StatusOK, ContentType: "application/json", Body: body}
	if v, ok := v.(public); ok {
		r.CacheControl = v.cacheControl()
	}
	if v, ok := v.(withStatus); ok {
		r.Status = v.status()
		return r, nil
	}
	if x.Method == http.MethodGet || x.Method == http.MethodHead {
		var asOf string
		if v, ok := v.(stamped); ok {
			asOf = v.asOf()
		}
		r.ETag = etagOf(body, asOf)
		if isMatched(x.Header, r.ETag) {
			r.Status, r.ContentType, r.Body = http.StatusNotModified, "", nil
		}
	}
	return r, nil
}

// marshal writes a value as JSON, for readers that are not HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("httpapi: encode an answer: %w", err)
	}
	return b.Bytes(), nil
}

// etagOf returns the tag of a body: a strong one, and a weak one of a body with the moment asOf,
// which is left out. A hash of 64 bits is enough, as it only tells the states of one address
// apart, and nobody gains by making two of them equal.
func etagOf(body []byte, asOf string) string {
	weak := ""
	if asOf != "" {
		weak, body = "W/", bytes.ReplaceAll(body, []byte(`"asOf":"`+asOf+`"`), nil)
	}
	return fmt.Sprintf(`%s"%016x"`, weak, xxhash.Sum64(body))
}

// isMatched says whether a request with these headers has the answer with the tag already.
func isMatched(header http.Header, etag string) bool {
	noneMatch := header["If-None-Match"]
	return len(noneMatch) > 0 && matches(strings.Join(noneMatch, ","), etag)
}

// matches says whether a header If-None-Match names the tag, by the weak
// comparison of RFC 9110.
func matches(noneMatch, etag string) bool {
	if strings.TrimSpace(noneMatch) == "*" {
		return true
	}
	for tag := range strings.SplitSeq(noneMatch, ",") {
		if strings.TrimPrefix(strings.TrimSpace(tag), "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}
