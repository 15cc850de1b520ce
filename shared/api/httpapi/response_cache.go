package httpapi

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits of a response cache.
const (
	cachedFor    = 100 * time.Millisecond
	maxCached    = 500              // answers at a time; further addresses are read each time
	maxCachedKey = 4 << 10          // bytes of an address
	maxTogether  = 10 * time.Second // for reading an answer that many may wait for
)

// A ResponseCache is a handler of all operations for a process that serves many at once. It holds
// public answers, which depend on the address alone, for a tenth of a second, and reads each once
// for all who ask for it meanwhile, compressed as Compressed does.
//
// A request that begins when a change has been answered, or after Invalidate, gets an answer read
// after that. An error is that of one request: a request that waits for an answer that fails reads for itself.
type ResponseCache struct {
	api  *api
	next http.Handler

	mu      sync.Mutex
	began   time.Time // when the first of the answers was asked for
	answers map[string]*cached
}

// cached is the answer of one address, perhaps on its way.
type cached struct {
	response
	done chan struct{} // closed when it is there
	ok   bool          // it can be answered to others
}

// NewResponseCache returns the handler of all operations.
func NewResponseCache(o Options) *ResponseCache {
	a := o.serve(Record, Query)
	return &ResponseCache{api: a, next: Compressed(a)}
}

// Route returns the pattern of the operation that a request asks for, "" for none, and notes it in the request.
func (c *ResponseCache) Route(r *http.Request) string {
	if r.Pattern == "" && isClean(r.URL) {
		_, r.Pattern = c.api.mux.Handler(r)
	}
	return r.Pattern
}

// Allow returns the methods of the path of a request for OPTIONS, as the header Allow has them; ""
// for a path that has none.
func (c *ResponseCache) Allow(r *http.Request) string { return methods(c.api.route(r)) }

// Invalidate drops all answers, as something has changed beside the handler's own requests.
func (c *ResponseCache) Invalidate() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers = nil
}

// ServeHTTP answers one request.
func (c *ResponseCache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		c.change(w, r)
		return
	}
	route, address := c.Route(r), *r.URL
	if route == embedPattern {
		address.RawQuery = ownQuery(address.RawQuery)
	}
	key := r.Method + " " + address.RequestURI() + " " + strings.Join(r.Header["Accept-Encoding"], ",")
	if len(key) > maxCachedKey || !c.api.public[route] || r.ContentLength != 0 { // a body is refused
		c.next.ServeHTTP(w, r)
		return
	}
	answer, own := c.answer(key)
	if own {
		c.read(answer, r)
	}
	<-answer.done
	if own || answer.ok {
		answer.write(w, r)
	} else {
		c.next.ServeHTTP(w, r)
	}
}

// change answers a request that may change something: before anybody learns of it, all answers are dropped.
func (c *ResponseCache) change(w http.ResponseWriter, r *http.Request) {
	answer := &response{header: w.Header()}
	c.next.ServeHTTP(answer, r)
	switch answer.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed: // nothing was done
	default:
		c.Invalidate()
	}
	answer.send(w)
}

// answer returns the answer of an address, and whether it is the caller's own to read: when there is none yet,
// or no place for it.
func (c *ResponseCache) answer(key string) (answer *cached, own bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); c.answers == nil || now.Sub(c.began) >= cachedFor {
		c.answers, c.began = map[string]*cached{}, now
	}
	if answer := c.answers[key]; answer != nil {
		return answer, false
	}
	answer = &cached{done: make(chan struct{}), response: response{header: http.Header{}}}
	if len(c.answers) < maxCached {
		c.answers[key] = answer
	}
	return answer, true
}

// read reads an answer for all who wait for it: also when the client has gone that asked first.
func (c *ResponseCache) read(answer *cached, r *http.Request) {
	defer close(answer.done)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), maxTogether)
	defer cancel()
	request := r.WithContext(ctx)
	request.Body, request.Header = http.NoBody, http.Header{}
	if accepted := r.Header["Accept-Encoding"]; accepted != nil {
		request.Header["Accept-Encoding"] = accepted
	}
	answer.header.Set(RequestIDHeader, requestID(ctx)) // a problem names it
	c.next.ServeHTTP(answer, request)
	answer.header.Del(RequestIDHeader)
	answer.WriteHeader(http.StatusOK)
	answer.ok = answer.status == http.StatusOK && strings.HasPrefix(answer.header.Get("Cache-Control"), "public")
	if answer.ok && r.Method == http.MethodGet {
		answer.header.Set("Content-Length", strconv.Itoa(len(answer.body)))
	}
	for name, values := range answer.header {
		answer.header[name] = slices.Clip(values) // many answers have them
	}
}

// write sends the answer, or says that the client has it already.
func (a *cached) write(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	maps.Copy(header, a.header)
	if tag := a.header.Get("ETag"); tag != "" && isMatched(r.Header, tag) {
		for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Length"} {
			header.Del(name)
		}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	a.send(w)
}
