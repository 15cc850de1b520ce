package localserver

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"laurel/shared/api/auth"
	"laurel/shared/api/auth/token"
	"laurel/shared/core/activity"
	"laurel/shared/core/signatures"
)

// Dev has the parts of a developer's server beside the API: it signs tokens for every caller.
type Dev struct {
	Page     fs.FS             // the demo page: index.html, the rest under /demo/
	Files    map[string][]byte // more under /demo/, before those of the page
	Insecure bool              // the address may be one that other machines reach
	Events   *Events           // takes events at EventsPath; nil: none come
}

// ErrExposed is returned for an address that other machines reach, for a server that signs tokens for every caller.
var ErrExposed = errors.New("is not a loopback address: anybody who reaches it can get any token")

// isLoopback says whether a header Host names this machine: a name of another's that leads here (DNS rebinding)
// lets the pages there read the answers to their requests.
func isLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	address, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.Unmap().IsLoopback()
}

// EventsPath is where a developer's server takes its own events.
const EventsPath = "/dev/events"

// page serves the demo page, which may load nothing but pictures from elsewhere.
func page(files fs.FS, more map[string][]byte) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy",
			"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		if content, ok := more[strings.TrimPrefix(r.URL.Path, "/")]; ok {
			http.ServeContent(w, r, r.URL.Path, time.Time{}, bytes.NewReader(content))
			return
		}
		server.ServeHTTP(w, r)
	})
}

const (
	keptEvents = 20      // that are shown
	maxEvent   = 1 << 20 // bytes
)

// Events are the last events that a developer's server has sent to itself, as a forum would take them: signed,
// and each once. It is safe for concurrent use.
type Events struct {
	Secret string

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
		if err != nil { // never: each event was valid JSON
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(text) // the client may be gone
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	secrets := signatures.Secrets{activity.StandardHooks: {e.Secret}}
	if err == nil {
		err = secrets.Verify(activity.StandardHooks, r.Header.Get, body, time.Now())
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

// A signer signs tokens for every caller, as a forum would.
type signer struct {
	user, service, audience string
	now                     func() time.Time
}

// newSigner adds secrets of its own to those that are taken, and returns a signer with them.
func newSigner(o *token.Options) *signer {
	s := &signer{now: o.Now, audience: o.Audiences[0]}
	s.user, s.service = rand.Text()+rand.Text(), rand.Text()+rand.Text()
	o.UserSecrets = append(slices.Clone(o.UserSecrets), s.user)
	o.ServiceSecrets = append(slices.Clone(o.ServiceSecrets), s.service)
	return s
}

// ServeHTTP signs a token for the user that the address names, as one line of text. The service's token needs no user.
func (s *signer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	user, secret := r.FormValue("user"), s.user
	if r.FormValue("scope") == auth.ServiceScope {
		user, secret = cmp.Or(user, "service"), s.service
	}
	if code, message := activity.CheckID(user, activity.MaxUserID); code != "" {
		http.Error(w, "user "+message+": /dev/token?user=ann, or /dev/token?scope="+auth.ServiceScope,
			http.StatusBadRequest)
		return
	}
	signed, err := token.Sign(secret, user, s.audience, s.now().Add(token.MaxAge))
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(w, signed+"\n")
}
