package localserver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/auth/token"
	"laurel/shared/httpapi"
	"laurel/shared/queue"
)

// Options are what a server works with: all of it, but for what may be nil.
type Options struct {
	Addr     string                          // host:port; port 0 is a free one
	Requests httpapi.Options                 // what the API works with, but the queue
	Batches  queue.Options                   // what the queue works with
	Tokens   token.Options                   // whose tokens are taken, beside the server's own
	Answered func(context.Context, Answered) // is told of each answer
	Origins  []string                        // whose pages may call, as CORS has them; nil: any
	Limits   Limits

	// Dev makes it a developer's server; nil for one that others reach.
	Dev *Dev
	// Ready says why requests cannot be served.
	Ready func(context.Context) error
	// Drain is how long requests that have begun may take once the server ends.
	Drain time.Duration
}

// Dev is what a developer's server has beside the API: it signs tokens for whoever asks.
type Dev struct {
	Page     fs.FS             // the demo page: index.html, the rest under /demo/
	Files    map[string][]byte // more under /demo/, before those of the page
	Insecure bool              // the address may be one that other machines reach
	Events   *Events           // takes events at EventsPath; nil: none come
}

// A Server listens already, and answers once Serve is called.
type Server struct {
	Options
	http     *http.Server
	listener net.Listener
	cache    *httpapi.ResponseCache
	unready  atomic.Bool // as the last who asked was told
}

// ErrExposed is returned for an address that other machines reach, for a server that signs
// tokens for whoever asks.
var ErrExposed = errors.New("is not a loopback address: anybody who reaches it can get any token")

// Listen takes the address and makes the server on it.
func Listen(ctx context.Context, o Options) (*Server, error) {
	s := &Server{Options: o}
	site := &site{ready: s.ready}
	if o.Dev != nil {
		signer := newSigner(&o.Tokens)
		site.signer, site.page, site.events = signer, page(o.Dev.Page, o.Dev.Files), o.Dev.Events
	}
	tokens, err := token.New(o.Tokens)
	if err != nil {
		return nil, err
	}
	if s.listener, err = listen(ctx, o); err != nil {
		return nil, err
	}
	o.Batches.Producers = append(slices.Clone(o.Batches.Producers), localProducer)
	o.Requests.Queue = &localQueue{handle: queue.Handle(o.Batches), now: o.Batches.Now, log: o.Batches.Log, ready: o.Ready}
	s.cache = httpapi.NewResponseCache(o.Requests)
	site.route = s.cache.Route
	site.api = &stage{
		api: s.cache, tokens: tokens, origins: o.Origins, limits: o.Limits.open(), allow: s.cache.Allow,
	}
	s.http = &http.Server{
		Handler:           timed(site, o.Answered),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(o.Requests.Log.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// listen takes the address.
func listen(ctx context.Context, o Options) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", o.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another program; take another one with --addr, or --addr localhost:0 for any",
			o.Addr)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", o.Addr, err)
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	if o.Dev != nil && !o.Dev.Insecure && (!ok || !address.IP.IsLoopback()) {
		_ = listener.Close()
		return nil, fmt.Errorf("%s: %w", o.Addr, ErrExposed)
	}
	return listener, nil
}

// EventsPath is where a developer's server takes its own events.
const EventsPath = "/dev/events"

// A site is the API with what is beside it; page and signer are a developer's. No path is
// redirected to another spelling, as API Gateway does not either.
type site struct {
	page, signer, api http.Handler
	events            *Events // may be nil
	route             func(*http.Request) string
	ready             http.HandlerFunc
}

// ServeHTTP answers one request.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case reads && path == "/healthz":
		_, _ = io.WriteString(w, "ok\n")
	case reads && path == "/readyz":
		s.ready(w, r)
	case reads && path == "/" && s.page != nil:
		s.page.ServeHTTP(w, r)
	case reads && strings.HasPrefix(path, "/demo/") && s.page != nil:
		http.StripPrefix("/demo", s.page).ServeHTTP(w, r)
	case reads && path == "/dev/token" && s.signer != nil:
		s.signer.ServeHTTP(w, r)
	case path == EventsPath && s.events != nil:
		s.events.ServeHTTP(w, r)
	default:
		s.route(r) // notes the operation in the request
		s.api.ServeHTTP(w, r)
	}
}

// An UnreadyError is why requests cannot be served, as anybody may know it.
type UnreadyError string

// Error returns the reason.
func (u UnreadyError) Error() string { return string(u) }

// ready answers whether requests can be served, else with what is UnreadyError in the reason; all of
// it is for the log, once.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	err := s.Ready(r.Context())
	if was := s.unready.Swap(err != nil); err != nil && !was {
		s.Requests.Log.WarnContext(r.Context(), "not ready", "cause", err.Error())
	}
	if err == nil {
		_, _ = io.WriteString(w, "ready\n")
		return
	}
	text := "not ready"
	if why, ok := errors.AsType[UnreadyError](err); ok {
		text += ": " + why.Error()
	}
	http.Error(w, text, http.StatusServiceUnavailable)
}

// Addr is where the server listens, host:port; the host is as it was given, the
// port a real one.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Changed says that something has changed beside what the server was asked to do, which
// keeps public answers for a tenth of a second.
func (s *Server) Changed() { s.cache.Invalidate() }

// Serve answers until the context ends and everything that has begun is done.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(explainingListener{s.listener}) }()
	select {
	case err := <-failed:
		return fmt.Errorf("localserver: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Drain)
	defer cancel()
	if err := s.http.Shutdown(drain); err != nil {
		return errors.Join(fmt.Errorf("localserver: %w", err), s.http.Close())
	}
	return nil
}

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

// A signer signs tokens for whoever asks, as a forum would.
type signer struct {
	user, service, audience string
	now                     func() time.Time
}

// newSigner adds secrets of its own to those that are taken, and returns what signs with them.
func newSigner(o *token.Options) *signer {
	s := &signer{now: o.Now, audience: o.Audiences[0]}
	s.user, s.service = rand.Text()+rand.Text(), rand.Text()+rand.Text()
	o.UserSecrets = append(slices.Clone(o.UserSecrets), s.user)
	o.ServiceSecrets = append(slices.Clone(o.ServiceSecrets), s.service)
	return s
}

// ServeHTTP signs a token for the user that the address names, as one line of text. The
// service's token needs no user.
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
