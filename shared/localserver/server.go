package localserver

import (
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
	"sync"
	"syscall"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/time/rate"

	"laurel/shared/activity"
	"laurel/shared/auth"
	"laurel/shared/auth/token"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/compress"
	"laurel/shared/queue"
)

// drainTime is how long requests that have begun may take once the server ends.
const drainTime = 5 * time.Second

// Options are what a server works with. All of them are needed but the throttle and
// Insecure.
type Options struct {
	Addr     string          // host:port; port 0 is a free one
	Insecure bool            // the address may be one that other machines reach
	Requests httpapi.Options // what the API works with, but the queue
	Batches  queue.Options   // what the queue works with
	Tokens   token.Options   // whose tokens are taken beside the server's own
	Throttle int             // requests a second, at once twice as many; 0 for any number
	Access   io.Writer       // gets a line for each request
	Page     fs.FS           // the demo page: index.html, the rest under /demo/
}

// A Server listens already, and answers once Serve is called.
type Server struct {
	http     *http.Server
	listener net.Listener
	queue    *Queue
	kept     *httpapi.Kept
	access   *gathered
}

// ErrExposed is returned for an address that other machines reach: the server signs
// tokens for whoever asks.
var ErrExposed = errors.New("is not an address of this machine alone, and anybody who reaches it may be anyone")

// Listen takes the address and makes the server on it.
func Listen(ctx context.Context, o Options) (*Server, error) {
	signer := &signer{user: rand.Text() + rand.Text(), service: rand.Text() + rand.Text(), now: o.Requests.Now}
	o.Tokens.UserSecrets = append(slices.Clone(o.Tokens.UserSecrets), signer.user)
	o.Tokens.ServiceSecrets = append(slices.Clone(o.Tokens.ServiceSecrets), signer.service)
	signer.audience, o.Tokens.Now = o.Tokens.Audiences[0], o.Requests.Now
	tokens, err := token.New(o.Tokens)
	if err != nil {
		return nil, err
	}
	listener, err := listen(ctx, o)
	if err != nil {
		return nil, err
	}
	o.Batches.Producers = append(slices.Clone(o.Batches.Producers), localProducer)
	var kept *httpapi.Kept
	handle := queue.Handle(o.Batches)
	waiting := NewQueue(func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		defer kept.Changed()
		return handle(ctx, e)
	}, o.Batches.Now, o.Batches.Log)
	o.Requests.Queue = waiting
	kept = httpapi.NewKept(o.Requests, compress.Reads)
	limit := rate.Inf
	if o.Throttle > 0 {
		limit = rate.Limit(o.Throttle)
	}
	api := &stage{
		api: kept, tokens: tokens,
		limit: rate.NewLimiter(limit, 2*o.Throttle), log: o.Requests.Log,
	}
	access := &gathered{out: o.Access}
	return &Server{
		listener: listener,
		queue:    waiting,
		kept:     kept,
		access:   access,
		http: &http.Server{
			Handler: logged(access, o.Requests.Now, o.Requests.Ledger.Calendar().Zone(),
				&site{page: page(o.Page), signer: signer, api: timed(api)}),
			ReadHeaderTimeout: 5 * time.Second,
			ErrorLog:          slog.NewLogLogger(o.Requests.Log.Handler(), slog.LevelDebug),
		},
	}, nil
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
	if address, ok := listener.Addr().(*net.TCPAddr); !o.Insecure && (!ok || !address.IP.IsLoopback()) {
		_ = listener.Close()
		return nil, fmt.Errorf("%s: %w", o.Addr, ErrExposed)
	}
	return listener, nil
}

// A site is the API with a page and a signer of tokens beside it. No path is redirected
// to another spelling, as API Gateway does not either.
type site struct{ page, signer, api http.Handler }

// ServeHTTP answers one request.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch path := r.URL.Path; {
	case reads && path == "/":
		s.page.ServeHTTP(w, r)
	case reads && strings.HasPrefix(path, "/demo/"):
		http.StripPrefix("/demo", s.page).ServeHTTP(w, r)
	case reads && path == "/dev/token":
		s.signer.ServeHTTP(w, r)
	default:
		s.api.ServeHTTP(w, r)
	}
}

// Addr is where the server listens, host:port; the host is as it was given, the
// port a real one.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Changed says that something has changed beside what the server was asked to do, which
// keeps public answers for a tenth of a second.
func (s *Server) Changed() { s.kept.Changed() }

// Serve answers until the context ends and everything that has begun is done, what
// waits on the queue too.
func (s *Server) Serve(ctx context.Context) error {
	defer s.access.flush()
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

// A signer signs tokens for whoever asks, as a forum would.
type signer struct {
	user, service, audience string
	now                     func() time.Time
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
	_, _ = io.WriteString(w, signed+"\n") //nolint:gosec // a token is letters, digits, dots, - and _, and this is no HTML
}
