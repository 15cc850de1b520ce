package httpapi

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"sync"
	"time"

	"laurel/shared/core/ledger"
	"laurel/shared/core/metrics"
	"laurel/shared/core/signatures"
	"laurel/shared/forum/people"
	"laurel/shared/forum/recording"
	"laurel/shared/forum/voids"
	"laurel/shared/store/final"
	"laurel/shared/store/items"
	"laurel/shared/store/view"
)

// Options are the stores and settings of a handler. All are needed but the queue, the secrets, SignUser
// and the metrics.
type Options struct {
	Items    *items.Store
	Recorder *recording.Recorder
	Articles *recording.Articles
	Voids    *voids.Store
	View     view.View
	People   *people.Store
	Finals   *final.Store
	Ledger   *ledger.Ledger // the forum's rules and calendar
	Now      func() time.Time
	Log      *slog.Logger

	HotDays, HotMonths int // how long periods stay live, as board.Due takes it

	EmbedOrigins []string           // whose pages may have a board in a frame; none: all
	Hooks        signatures.Secrets // secrets by which forums sign their webhooks; nil: none does

	SignUser   func(user string) (string, error) // signs a token of a user; nil: there is no secret to do so
	UserSecret string                            // the secret by which it does, for a plugin that signs itself

	Queue   Queue          // where activities may wait; nil: the queue is elsewhere
	Metrics *metrics.Meter // the meter of requests; nil: none
}

// A Part registers a share of the operations: those that one function serves. They are functions so that
// a binary has the operations of its parts alone.
type Part func(*api)

// Record registers the operations that change something.
func Record(a *api) {
	a.register(recordRoutes()...)
	a.handle("GET "+loginPath, false, a.login)
}

// Query registers the reads, and the OpenAPI document of all operations.
func Query(a *api) {
	a.register(queryRoutes()...)
	a.handle("GET "+problemPath+"{problem}", false, a.servePage)
	a.handle("GET /embed", false, a.serveFile)
	a.handle(embedPattern, true, a.serveEmbed)
	a.handle("GET /openapi.json", false, a.serveDocument)
	a.document = sync.OnceValue(func() []byte { return describe(a.Ledger.Guests()) }) // a cold start waits for none
}

// api is the operations of one handler.
type api struct {
	Options
	mux      *http.ServeMux
	document func() []byte // the OpenAPI document, made when it is asked for
	ranked   rankCache
	public   map[string]bool // by pattern, whether others keep answers, which depend on the address alone
}

// New returns the handler of some parts. All of them say how they are, under /v1/health.
func New(o Options, parts ...Part) http.Handler { return o.serve(parts...) }

// serve makes the operations of some parts, and no others.
func (o Options) serve(parts ...Part) *api {
	a := &api{Options: o, mux: http.NewServeMux(), public: map[string]bool{}}
	a.register(healthRoute())
	for _, add := range parts {
		add(a)
	}
	return a
}

// ofAll are headers of all answers.
var ofAll = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	"Cache-Control":           {"no-store"}, // until an operation knows better
}

// ServeHTTP answers one request, with a problem where no operation does. A panicking operation has answered nothing
// yet: an answer is sent once it is whole.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := &response{header: w.Header()}
	a.answer(answer, r)
	if r.Method == http.MethodHead {
		answer.body = nil
	}
	answer.send(w)
}

func (a *api) answer(w *response, r *http.Request) {
	defer a.recover(w, r)
	maps.Copy(w.header, ofAll)
	p := a.route(r)
	switch {
	case p == nil:
		a.mux.ServeHTTP(w, r)
	case r.Method == http.MethodOptions && methods(p) != "":
		w.header.Set("Allow", methods(p))
		w.WriteHeader(http.StatusNoContent)
	default:
		p.write(w)
	}
}

// route returns why no operation answers the request, nil when one does. There
// are no redirects: another spelling of a path is another path.
func (a *api) route(r *http.Request) *Problem {
	if r.Pattern != "" { // ResponseCache has looked
		return nil
	}
	notFound := func() *Problem { return newProblem(CodeNotFound, "not found") }
	if !isClean(r.URL) {
		return notFound()
	}
	handler, pattern := a.mux.Handler(r)
	if pattern != "" {
		return nil
	}
	refusal := response{header: http.Header{}}
	handler.ServeHTTP(&refusal, r)
	if refusal.status != http.StatusMethodNotAllowed {
		return notFound()
	}
	p := newProblem(CodeMethodNotAllowed, "method "+r.Method+" not allowed")
	p.header.Set("Allow", refusal.header.Get("Allow"))
	return p
}

// methods returns the methods of a path, as the header Allow has them, of why none of its operations
// answers a request; "" for a path that has none.
func methods(p *Problem) string {
	if p == nil || p.Status != http.StatusMethodNotAllowed {
		return ""
	}
	return p.header.Get("Allow") + ", OPTIONS"
}

// isClean says whether the mux would take a path for no other one.
func isClean(u *url.URL) bool {
	escaped := u.EscapedPath()
	return path.Clean(escaped) == escaped || escaped == "/embed/"
}

// recover turns a panic into a problem.
func (a *api) recover(w *response, r *http.Request) {
	cause := recover()
	if cause == nil {
		return
	}
	a.Log.ErrorContext(r.Context(), "panic", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
	w.status, w.body = 0, nil
	if p := newProblem(CodeInternal, "internal error"); r.Pattern == embedPattern {
		a.serveFailure(w, r, embedded{}, p)
	} else {
		p.write(w)
	}
}
