package localserver

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"laurel/shared/activity"
	"laurel/shared/hooks"
)

const (
	keptEvents = 20      // that are shown
	maxEvent   = 1 << 20 // bytes
)

// Events are the last events that a developer's server has sent to itself, as a forum would take them: signed,
// and each once. It is safe for concurrent use.
type Events struct {
	Secret string
	Now    func() time.Time

	mu   sync.Mutex
	kept []receivedEvent // the newest first
}

// A receivedEvent is one with its id.
type receivedEvent struct {
	ID   string          `json:"id"`
	Body json.RawMessage `json:"event"`
}

// ServeHTTP takes an event, or answers the last ones.
func (e *Events) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodPost {
		e.mu.Lock()
		text, err := json.Marshal(append([]receivedEvent{}, e.kept...))
		e.mu.Unlock()
		if err != nil { // never: what was taken is JSON
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // the client may be gone
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	of := hooks.Secrets{activity.StandardHooks: {e.Secret}}
	if err == nil {
		err = of.Verify(activity.StandardHooks, r.Header.Get, body, e.Now())
	}
	if err != nil || !json.Valid(body) {
		http.Error(w, "not a signed event", http.StatusUnauthorized)
		return
	}
	e.take(receivedEvent{r.Header.Get("Webhook-Id"), body})
	w.WriteHeader(http.StatusNoContent)
}

// take keeps an event that is not there yet.
func (e *Events) take(one receivedEvent) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if slices.ContainsFunc(e.kept, func(kept receivedEvent) bool { return kept.ID == one.ID }) {
		return
	}
	e.kept = append([]receivedEvent{one}, e.kept...)
	e.kept = e.kept[:min(len(e.kept), keptEvents)]
}
