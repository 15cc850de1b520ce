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

// How public answers are kept.
const (
	keptFor     = 100 * time.Millisecond
	maxPages    = 500              // answers kept at a time; further addresses are read each time
	maxAddress  = 4 << 10          // bytes of an address that is kept
	maxTogether = 10 * time.Second // for reading an answer that many may wait for
)

// Kept is a handler of all operations for a process that serves many at once. It keeps
// public answers, which depend on the address alone, for a tenth of a second, and reads each
// once for all who ask for it meanwhile.
//
// A request that begins when a change has been answered, or after Changed, gets what was read
// after that. Of errors, those who ask at the same time get the same; they are not kept.
type Kept struct {
	api  *api
	next http.Handler

	mu    sync.Mutex
	began time.Time // when the first of the pages was asked for
	pages map[string]*page
}

// page is an answer of one address, perhaps on its way.
type page struct {
	done   chan struct{} // closed when it is there
	failed bool          // it will not come
	status int
	header http.Header
	body   []byte
}

// NewKept returns the handler of all operations, with another one around each answer that is
// read: what compresses it, and keeps to the address and to Accept-Encoding.
func NewKept(o Options, wrap func(http.Handler) http.Handler) *Kept {
	a := o.serve(false, Record, Query)
	return &Kept{api: a, next: wrap(a)}
}

// Route returns the pattern of the operation that a request asks for, "" for none, and notes it
// in the request.
func (k *Kept) Route(r *http.Request) string {
	if r.Pattern == "" && isClean(r.URL) {
		_, r.Pattern = k.api.mux.Handler(r)
	}
	return r.Pattern
}

// Changed forgets what is kept, as something has changed beside the handler's own requests.
func (k *Kept) Changed() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pages = nil
}

// ServeHTTP answers one request.
func (k *Kept) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		c := &change{ResponseWriter: w, changed: k.Changed}
		defer c.end()
		k.next.ServeHTTP(c, r)
		return
	}
	key := r.Method + " " + r.URL.RequestURI() + " " + strings.Join(r.Header["Accept-Encoding"], ",")
	if len(key) > maxAddress || !k.api.public[k.Route(r)] {
		k.next.ServeHTTP(w, r)
		return
	}
	p, missing := k.page(key)
	switch {
	case p == nil:
		k.next.ServeHTTP(w, r)
		return
	case missing:
		k.read(p, key, r)
	default:
		select {
		case <-p.done:
		case <-r.Context().Done():
			return // the client has gone
		}
	}
	if p.failed {
		k.next.ServeHTTP(w, r)
		return
	}
	p.write(w, r)
}

// page returns the page of an address, and whether the caller has to read it; nil when there
// are too many.
func (k *Kept) page(key string) (p *page, missing bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := time.Now(); k.pages == nil || now.Sub(k.began) >= keptFor {
		k.pages, k.began = map[string]*page{}, now
	}
	if p := k.pages[key]; p != nil || len(k.pages) >= maxPages {
		return p, false
	}
	p = &page{done: make(chan struct{})}
	k.pages[key] = p
	return p, true
}

// read reads a page for all who wait for it: also when the client has gone that asked first.
func (k *Kept) read(p *page, key string, r *http.Request) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), maxTogether)
	defer cancel()
	request := r.WithContext(ctx)
	request.Body, request.Header = http.NoBody, http.Header{}
	if accepted := r.Header["Accept-Encoding"]; accepted != nil {
		request.Header["Accept-Encoding"] = accepted
	}
	p.header, p.failed = http.Header{}, true
	defer func() { // a panic is the reader's own; the others ask for themselves
		if !strings.HasPrefix(p.header.Get("Cache-Control"), "public") || p.status != http.StatusOK || p.failed {
			k.drop(key, p)
		}
		close(p.done)
	}()
	k.next.ServeHTTP(&pageWriter{p}, request)
	p.failed = false
	if p.status == 0 {
		p.status = http.StatusOK
	}
	if r.Method == http.MethodGet {
		p.header.Set("Content-Length", strconv.Itoa(len(p.body)))
	}
	for name, values := range p.header {
		p.header[name] = slices.Clip(values) // many answers have them
	}
}

// drop forgets a page.
func (k *Kept) drop(key string, p *page) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.pages[key] == p {
		delete(k.pages, key)
	}
}

// write answers with the page, or says that the client has it already.
func (p *page) write(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	maps.Copy(header, p.header)
	tag := p.header.Get("ETag")
	if tag != "" && p.status == http.StatusOK && isMatched(r.Header, tag) {
		for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Length"} {
			header.Del(name)
		}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(p.status)
	_, _ = w.Write(p.body) //nolint:gosec // an answer of ours; the client may be gone
}

// pageWriter writes an answer into a page.
type pageWriter struct{ *page }

// Header returns the headers of the page.
func (w *pageWriter) Header() http.Header { return w.header }

// WriteHeader keeps the status of the page.
func (w *pageWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write keeps some of the body.
func (w *pageWriter) Write(p []byte) (int, error) {
	w.body = append(w.body, p...)
	return len(p), nil
}

// change is the answer to a request that may have changed something: all that was kept is
// forgotten before the first byte of it is sent.
type change struct {
	http.ResponseWriter
	changed func()
	begun   bool
}

// WriteHeader sends the status and the headers.
func (c *change) WriteHeader(status int) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed: // nothing was done
		c.begun = true
	default:
		c.end()
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write sends some of the body.
func (c *change) Write(p []byte) (int, error) {
	c.end()
	return c.ResponseWriter.Write(p)
}

// end forgets what was kept, once.
func (c *change) end() {
	if !c.begun {
		c.begun = true
		c.changed()
	}
}

// Unwrap is for http.ResponseController.
func (c *change) Unwrap() http.ResponseWriter { return c.ResponseWriter }
