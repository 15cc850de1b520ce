package httpapi

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// pingTimeout is how long a store has to say that it is there.
const pingTimeout = time.Second

// Rules are the boards and what earns points, as the deployment wrote them.
type Rules struct{ source []byte }

// MarshalJSON writes the rules as they are.
func (r Rules) MarshalJSON() ([]byte, error) { return r.source, nil }

// Schema describes a rules file.
func (Rules) Schema(huma.Registry) *huma.Schema {
	object := func(doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeObject, Description: doc, AdditionalProperties: true}
	}
	return &huma.Schema{
		Type: huma.TypeObject, Description: "The rules, as the deployment wrote them",
		Required: []string{"boards", "articles", "versions"},
		Properties: map[string]*huma.Schema{
			"boards":   object("The windows that each board keeps, by its name"),
			"articles": object("What articles are ranked by: votesPerDay, votingDays, ownVote, interesting"),
			"versions": {Type: huma.TypeArray, Items: object("What actions and metrics are worth"), Description: "By first day"},
		},
	}
}

// Health says what can be reached.
type Health struct {
	Status string            `json:"status" enum:"ok,unavailable" example:"ok"`
	Stores map[string]string `json:"stores" doc:"ok or unavailable, by store"`
}

func (h Health) status() int {
	if h.Status == available {
		return http.StatusOK
	}
	return http.StatusServiceUnavailable
}

const (
	available   = "ok"
	unavailable = "unavailable"
)

func (a *api) registerMeta() {
	register(a, operation{
		id: "read-rules", method: http.MethodGet, path: "/v1/rules", tag: "service",
		summary: "Read the rules",
		access:  forAll, cache: cacheStatic,
	}, func(context.Context, *struct{}) (Rules, error) {
		return Rules{a.Ledger.Rules().JSON()}, nil
	})
	a.mux.HandleFunc("GET /openapi.json", a.serveDocument)
	a.mux.HandleFunc("GET "+problemPath+"{problem}", a.servePage)
}

func (a *api) registerHealth() {
	register(a, operation{
		id: "read-health", method: http.MethodGet, path: "/v1/health", tag: "service",
		summary: "Check the stores",
		access:  forAll,
		more: func(op *huma.Operation) {
			op.Responses["503"] = &huma.Response{Description: "A store is unavailable", Content: op.Responses["200"].Content}
		},
	}, a.health)
}

func (a *api) health(ctx context.Context, _ *struct{}) (Health, error) {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	h := Health{Status: available, Stores: map[string]string{}}
	_, err := a.Records.Head(ctx)
	for store, err := range map[string]error{"table": err, "redis": a.View.Ping(ctx)} {
		h.Stores[store] = available
		if err != nil {
			a.Log.WarnContext(ctx, "unhealthy", "store", store, "cause", err)
			h.Status, h.Stores[store] = unavailable, unavailable
		}
	}
	return h, nil
}

// servePage answers with the page about a problem, or about all.
func (a *api) servePage(w http.ResponseWriter, r *http.Request) {
	page, ok := problemPage(r.PathValue("problem"))
	if !ok {
		newProblem(CodeNotFound, "not found").write(w)
		return
	}
	w.Header().Set("Cache-Control", cacheStatic)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, page) // the client may be gone
}

// serveDocument answers with the OpenAPI document.
func (a *api) serveDocument(w http.ResponseWriter, r *http.Request) {
	document := a.document()
	w.Header().Set("Content-Type", "application/openapi+json")
	w.Header().Set("Content-Length", strconv.Itoa(len(document)))
	serveTagged(w, r, document, cacheStatic)
}

// serveTagged answers with bytes that caches may hold, unless the client has them.
func serveTagged(w http.ResponseWriter, r *http.Request, body []byte, cache string) {
	header := w.Header()
	header.Set("Cache-Control", cache)
	header.Set("ETag", etagOf(body))
	if isMatched(r.Header, header.Get("ETag")) {
		header.Del("Content-Type")
		header.Del("Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(body) //nolint:gosec // what users wrote is escaped; the client may be gone
}
