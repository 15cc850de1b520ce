// Package localserver runs the whole of Laurel in one process: the same handler that the functions serve, and for a
// developer a demo page at /, and at /dev/token a signer of test tokens for every caller. As it serves many requests
// at once, it keeps public answers for a moment.
//
// It promises to end cleanly: it finishes the answers that have begun when its context ends. With Dev it is no server
// for production: anybody who reaches it may be anyone.
package localserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"laurel/shared/api/auth/token"
	"laurel/shared/api/httpapi"
	"laurel/shared/api/queue"
)

// How long a client may take to send a request, and until it has read the answer, both from the request's beginning: a
// slower reader has an answer of 256 KiB at 6 KB a second.
const (
	readTime  = 30 * time.Second
	writeTime = 45 * time.Second
)

// Options are the parts of a server. All have to be set but those that may be nil.
type Options struct {
	Addr     string                          // host:port; port 0 is a free one
	Requests httpapi.Options                 // of the API, without the queue
	Batches  queue.Options                   // of the queue
	Tokens   token.Options                   // whose tokens are taken, beside the server's own
	Answered func(context.Context, Answered) // called after each answer
	Origins  []string                        // whose pages may call, as CORS has them; nil: any
	Limits   Limits

	// Dev makes it a developer's server; nil for one that others reach.
	Dev *Dev
	// Ready says why requests cannot be served.
	Ready func(context.Context) error
	// Drain is how long requests that have begun may take once the server ends.
	Drain time.Duration
}

// A Server listens already, and answers once Serve is called.
type Server struct {
	Options
	http         *http.Server
	listener     net.Listener
	cache        *httpapi.ResponseCache // with the API behind it
	tokens       *token.Verifier
	limits       *limits
	page, signer http.Handler // nil where others reach the server
	unready      atomic.Bool  // as the last answer said
}

// Listen takes the address and makes the server on it.
func Listen(ctx context.Context, o Options) (_ *Server, err error) {
	s := &Server{Options: o, limits: o.Limits.open()}
	if o.Dev != nil {
		s.signer, s.page = newSigner(&o.Tokens), page(o.Dev.Page, o.Dev.Files)
	}
	if s.tokens, err = token.New(o.Tokens); err != nil {
		return nil, err
	}
	if s.listener, err = listen(ctx, o); err != nil {
		return nil, err
	}
	o.Batches.Producers = append(slices.Clone(o.Batches.Producers), localProducer)
	o.Requests.Queue = &localQueue{handle: queue.Handle(o.Batches), now: o.Batches.Now, log: o.Batches.Log, ready: o.Ready}
	s.cache = httpapi.NewResponseCache(o.Requests)
	s.http = &http.Server{
		Handler:           timed(http.HandlerFunc(s.answer), o.Requests.View.Kind(), o.Answered),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: 50 * time.Second,
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

// answer answers one request: with the API, or a page beside it. No path is redirected to another spelling, as API
// Gateway does not either.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case reads && path == "/healthz":
		_, _ = io.WriteString(w, "ok\n")
	case reads && path == "/readyz":
		s.ready(w, r)
	case reads && path == "/" && s.page != nil:
		s.page.ServeHTTP(w, r)
	case reads && path == "/":
		greet(w)
	case reads && strings.HasPrefix(path, "/demo/") && s.page != nil:
		http.StripPrefix("/demo", s.page).ServeHTTP(w, r)
	case strings.HasPrefix(path, "/dev/") && s.Dev != nil && !s.Dev.Insecure && !isLoopback(r.Host):
		http.Error(w, "this path answers at the address of this machine alone, such as localhost: "+
			"a page elsewhere may have given its own name to it", http.StatusForbidden)
	case reads && path == "/dev/token" && s.signer != nil:
		s.signer.ServeHTTP(w, r)
	case path == EventsPath && s.Dev != nil && s.Dev.Events != nil:
		s.Dev.Events.ServeHTTP(w, r)
	default:
		s.cache.Route(r) // notes the operation in the request
		s.stage(w, r)
	}
}

// greeting is the page at /. Its links are relative, as a proxy may serve Laurel under a path.
const greeting = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Laurel</title>
<h1>Laurel answers here</h1>
<ul>
<li><a href="embed">Choose boards for your pages, and copy the code</a>
<li><a href="openapi.json">The API, as OpenAPI describes it</a>
<li><a href="v1/boards">The boards, each with its question</a>
<li><a href="readyz">Whether this server is ready</a>
</ul>
`

func greet(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, greeting)
}

// An UnreadyError is why requests cannot be served, as anybody may know it.
type UnreadyError string

// Error returns the reason.
func (u UnreadyError) Error() string { return string(u) }

// ready answers whether requests can be served. A refusal has the UnreadyError of the cause; the log has the whole
// cause, once.
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

// Addr is where the server listens, host:port; the host is as it was given, the port a real one.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Changed drops public answers, which the server keeps for a tenth of a second: something other than a request has
// changed the data.
func (s *Server) Changed() { s.cache.Invalidate() }

// Serve answers until the context ends and everything that has begun is done.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(explainingListener{bounded(s.listener, s.limits)}) }()
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

// Every does some work now and then at an interval, or again soon after it has failed, in its own goroutine, until the
// context ends or stop is called. stop waits for work that is under way, whose context is cancelled.
func Every(ctx context.Context, interval, again time.Duration, work func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var working sync.WaitGroup
	working.Go(func() {
		for ctx.Err() == nil {
			wait := interval
			if work(ctx) != nil {
				wait = min(interval, again)
			}
			select {
			case <-ctx.Done():
			case <-time.After(wait):
			}
		}
	})
	return func() {
		cancel()
		working.Wait()
	}
}
