package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"laurel/shared/api/wire"
	"laurel/shared/core/activity"
	"laurel/shared/store/view"
)

// Health names the stores that can be reached, and where the view is.
type Health struct {
	Status string            `json:"status"`
	Stores map[string]string `json:"stores"`
	View   view.Kind         `json:"view"`
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

// rules returns the boards and the actions that earn points, as the deployment wrote them.
func (a *api) rules(ctx context.Context, _ *struct{}) (json.RawMessage, error) {
	return exchangeOf(ctx).rules.JSON(), nil
}

func (a *api) health(ctx context.Context, _ *struct{}) (Health, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second) // for the stores to say that they are there
	defer cancel()
	h := Health{Status: available, Stores: map[string]string{}, View: a.View.Kind()}
	_, err := a.Items.Head(ctx)
	for store, err := range map[string]error{"table": err, "view": a.View.Ping(ctx)} {
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
	w.Header().Set("Cache-Control", cacheStatic)
	w.Header().Set("Content-Type", "application/openapi+json")
	w.Header().Set("Content-Length", strconv.Itoa(len(document)))
	serveTagged(w, r, document, etagOf(document))
}

// serveTagged answers with bytes that have a tag, unless the client has them.
func serveTagged(w http.ResponseWriter, r *http.Request, body []byte, tag string) {
	header := w.Header()
	header.Set("ETag", tag)
	if isMatched(r.Header, tag) {
		header.Del("Content-Type")
		header.Del("Content-Length")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(body) //nolint:gosec // texts of users are escaped; the client may be gone
}

// PairPath is where a forum's plugin gets the secrets. The server of it has to see to it that nobody
// between reads the answer; API Gateway takes TLS alone.
const PairPath = "/v1/pair"

// A pairing has the settings that a forum's plugin needs beside the address.
type pairing struct {
	HookSecret string `json:"hookSecret"`
	UserSecret string `json:"userSecret,omitempty"`
	Board      string `json:"board"`
	Timezone   string `json:"timezone"`
}

// pair looks for the secret first, as a code that is used up for nothing helps nobody.
func (a *api) pair(ctx context.Context, _ *struct{}) (pairing, error) {
	var body wire.Pair
	if p := refused(ctx, decode(ctx, &body)); p != nil {
		return pairing{}, p
	}
	secrets := a.Hooks[activity.StandardHooks]
	if len(secrets) == 0 {
		return pairing{}, newProblem(CodeNotSupported, "this Laurel has no secret of webhooks for the source standard: "+
			"HOOK_SECRETS=standard=whsec_..., or laurel pair for a stack")
	}
	boards := slices.Concat(a.Ledger.Guests().Boards(), a.Ledger.Rules().Boards()) // one for guests, if there is one
	return pairing{
		HookSecret: secrets[0], UserSecret: a.UserSecret, Board: boards[0],
		Timezone: a.Ledger.Calendar().Zone().String(),
	}, a.Items.UsePairing(ctx, body.Code)
}

// RefusePairing answers a request for secrets that a third party between can read, as it has read the code: it
// is used up, so that nobody else gets them for it.
func (o Options) RefusePairing(w http.ResponseWriter, r *http.Request) {
	detail := "secrets are sent over https, or within this machine"
	if r.Method == http.MethodPost {
		var sent wire.Pair
		body, p := readBody(r, maxPairing)
		if p == nil && len(wire.Decode(body, &sent).All()) == 0 && o.Items.UsePairing(r.Context(), sent.Code) == nil {
			detail += "; the code could be read on its way, and is good no more: make another one with laurel pair"
		}
	}
	newProblem(CodeTLSRequired, detail).write(w)
}

const maxPairing = 4 << 10 // bytes of a request
