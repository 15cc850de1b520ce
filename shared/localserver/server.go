package localserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/devtoken"
	"laurel/shared/queue"
)

// drainTime is how long requests that have begun may take once the server ends.
const drainTime = 5 * time.Second

// tokenTime is how long a test token is valid.
const tokenTime = 24 * time.Hour

// Options are what a server works with. All of them are needed.
type Options struct {
	Addr     string          // host:port; port 0 is a free one
	Requests httpapi.Options // what the API works with, but the queue
	Batches  queue.Options   // what the queue works with
	Access   io.Writer       // gets a line for each request
	Page     fs.FS           // the demo page: index.html, the rest under /demo/
}

// A Server listens already, and answers once Serve is called.
type Server struct {
	http     *http.Server
	listener net.Listener
	queue    *Queue
}

// Listen takes the address and makes the server on it.
func Listen(ctx context.Context, o Options) (*Server, error) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // it never fails
	tokens, err := devtoken.New(secret, o.Requests.Now)
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", o.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another program; take another one with --addr, or --addr localhost:0 for any",
			o.Addr)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", o.Addr, err)
	}
	waiting := NewQueue(queue.Handle(o.Batches), o.Batches.Now, o.Batches.Log)
	o.Requests.Queue = waiting
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", page(o.Page))
	mux.Handle("GET /demo/", http.StripPrefix("/demo", page(o.Page)))
	mux.Handle("GET /dev/token", signer(tokens))
	mux.Handle("/", tokens.Middleware(httpapi.New(o.Requests)))
	return &Server{
		listener: listener,
		queue:    waiting,
		http: &http.Server{
			Handler:           logged(o.Access, o.Requests.Now, o.Requests.Ledger.Calendar().Zone(), mux),
			ReadHeaderTimeout: 5 * time.Second,
			ErrorLog:          slog.NewLogLogger(o.Requests.Log.Handler(), slog.LevelDebug),
		},
	}, nil
}

// Addr is where the server listens, host:port; the host is as it was given, the
// port a real one.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Serve answers until the context ends and everything that has begun is done, what
// waits on the queue too.
func (s *Server) Serve(ctx context.Context) error {
	working, stop := context.WithCancel(context.WithoutCancel(ctx))
	var worker sync.WaitGroup
	worker.Go(func() { s.queue.Run(working) })
	defer worker.Wait()
	defer stop() // after the last request, which may be one for the queue
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(s.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("localserver: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer cancel()
	if err := s.http.Shutdown(drain); err != nil {
		return errors.Join(fmt.Errorf("localserver: %w", err), s.http.Close())
	}
	return nil
}

// page serves the demo page, which may load nothing from elsewhere.
func page(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy",
			"default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}

// signer signs a token for the user that the address names, as one line of text.
// The service's token needs no user.
func signer(tokens *devtoken.Tokens) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		user, scope := r.FormValue("user"), r.FormValue("scope")
		if user == "" && scope == auth.ServiceScope {
			user = "service"
		}
		if code, message := activity.CheckID(user, activity.MaxUserID); code != "" {
			http.Error(w, "user "+message+": /dev/token?user=ann, or /dev/token?scope="+auth.ServiceScope,
				http.StatusBadRequest)
			return
		}
		token, err := tokens.Sign(user, scope, tokenTime)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = io.WriteString(w, token+"\n") //nolint:gosec // a token is letters, digits, dots, - and _, and this is no HTML
	})
}
