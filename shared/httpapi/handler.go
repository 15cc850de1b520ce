package httpapi

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"laurel/shared/final"
	"laurel/shared/hooks"
	"laurel/shared/ledger"
	"laurel/shared/metrics"
	"laurel/shared/people"
	"laurel/shared/record"
	"laurel/shared/records"
	"laurel/shared/view"
)

// Options are what a handler works with. All of them are needed but the queue, the secrets, SignUser and the metrics.
type Options struct {
	Records  *records.Store
	Recorder *record.Recorder
	Articles *record.Articles
	View     view.View
	People   *people.Store
	Finals   *final.Store
	Ledger   *ledger.Ledger // the forum's rules and calendar
	Now      func() time.Time
	Log      *slog.Logger

	HotDays, HotMonths int // how long periods stay live, as board.Due takes it

	EmbedOrigins []string      // whose pages may have a board in a frame; none: all
	Hooks        hooks.Secrets // by which forums sign their webhooks; nil: none does

	SignUser   func(user string) (string, error) // signs a token of a user; nil: there is no secret to do so
	UserSecret string                            // by which it does, for a plugin that signs itself

	Queue   Queue          // where activities may wait; nil: the queue is elsewhere
	Metrics *metrics.Meter // what measures requests; nil: nothing does
}

// A Part registers a share of the operations: what one function serves. They are functions so that
// a binary has the operations of its parts alone.
type Part func(*api)

// Record is what changes something.
func Record(a *api) {
	register(a, "report-activities", a.report)
	register(a, "queue-activities", a.enqueue)
	register(a, "put-void", a.putVoid)
	register(a, "delete-void", a.deleteVoid)
	register(a, "post-hook", a.hook)
	register(a, "pair", a.pair)
	register(a, "put-user", a.putProfile)
	register(a, "put-users", a.putProfiles)
	register(a, "delete-user", a.erase)
	register(a, "put-following", a.follow)
	register(a, "put-visibility", a.putVisibility)
	register(a, "put-exclusion", a.putExclusion)
	register(a, "delete-exclusion", a.deleteExclusion)
	register(a, "put-categories", a.putCategories)
	register(a, "post-article", a.postArticle)
	register(a, "put-article", a.putArticle)
	register(a, "delete-article", a.deleteArticle)
	a.mux.HandleFunc("GET "+loginPath, a.login)
}

// Query is what is read, and the OpenAPI document of all operations.
func Query(a *api) {
	register(a, "list-boards", a.boardList)
	register(a, "read-board-windows", a.boardWindows)
	register(a, "read-board", a.boardPage)
	register(a, "list-periods", a.periods)
	register(a, "list-winners", a.winners)
	register(a, "read-standing", a.standing)
	register(a, "read-friends", a.friends)
	register(a, "read-standings", a.standings)
	register(a, "read-activity", a.activity)
	register(a, "read-days", a.days)
	register(a, "read-entries", a.keptEntries)
	register(a, "read-wreaths", a.wreaths)
	register(a, "read-votes", a.votes)
	register(a, "read-following", a.following)
	register(a, "read-visibility", a.visibility)
	register(a, "read-exclusion", a.exclusion)
	register(a, "read-user", a.profile)
	register(a, "export-user", a.export)
	register(a, "read-erasure", a.erasure)
	register(a, "read-void", a.void)
	register(a, "read-articles", a.articleList)
	register(a, "read-article", a.article)
	register(a, "read-groups", a.groups)
	register(a, "read-categories", a.categories)
	register(a, "read-rules", a.rules)
	register(a, "read-status", a.status)
	a.mux.HandleFunc("GET "+problemPath+"{problem}", a.servePage)
	a.mux.HandleFunc("GET /embed", a.serveFile)
	a.mux.HandleFunc(embedPattern, a.serveEmbed)
	a.public[embedPattern] = true
	a.mux.HandleFunc("GET /openapi.json", a.serveDocument)
	// It takes longer to write than everything else here, and a cold start waits.
	a.document = sync.OnceValue(a.describe)
}

// api is the operations of one handler.
type api struct {
	Options
	mux      *http.ServeMux
	huma     huma.API
	answers  map[string]reflect.Type // by operation
	document func() []byte           // the OpenAPI document, made when it is asked for
	ranked   rankCache
	public   map[string]bool // patterns of reads whose answers depend on the address alone
}

// New returns the handler of some parts. All of them say how they are, under /v1/health.
func New(o Options, parts ...Part) http.Handler { return o.serve(parts...) }

// serve makes the operations of some parts, and no others: each costs a cold start.
func (o Options) serve(parts ...Part) *api {
	a := &api{Options: o, mux: http.NewServeMux(), answers: map[string]reflect.Type{}, public: map[string]bool{}}
	a.huma = huma.NewAPI(huma.Config{
		OpenAPI: &huma.OpenAPI{Components: &huma.Components{Schemas: newRegistry()}},
		Formats: map[string]huma.Format{
			"application/json": huma.DefaultJSONFormat,
			"json":             huma.DefaultJSONFormat, // of application/problem+json
		},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{ownProblem}, // nothing else is added to answers
	}, humago.NewAdapter(a.mux, ""))
	register(a, "read-health", a.health)
	for _, register := range parts {
		register(a)
	}
	return a
}

// ofAll are headers of all answers.
var ofAll = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	"Cache-Control":           {"no-store"}, // until an operation knows better
}

// ServeHTTP answers one request, with a problem where no operation does. What panics has answered nothing
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
