package client_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"laurel/internal/harness"
	"laurel/shared/auth"
	"laurel/shared/hooks"
	"laurel/shared/httpapi"
	"laurel/shared/localserver"
	"laurel/shared/metrics"
)

// A forum is one that a server serves, with the tokens that it takes.
type forum struct {
	*harness.Forum
	service   string
	user      func(id string) string
	throttled bool
}

// open returns the server of a situation.
func (s *situation) open(t *testing.T) *forum {
	t.Helper()
	if s.server != nil {
		return s.server(t)
	}
	return usual(t)
}

// usual is a forum that the local server serves, as AWS does, with what prepare makes.
func usual(t *testing.T) *forum {
	t.Helper()
	f := local(t, 0)
	prepare(f)
	return f
}

// throttled is one that takes a request a second, and two at once.
func throttled(t *testing.T) *forum {
	t.Helper()
	f := local(t, 1)
	f.throttled = true
	return f
}

func local(t *testing.T, throttle int) *forum {
	t.Helper()
	f := &forum{Forum: harness.NewForum(t, harness.Setup{})}
	f.Hooks = hooks.Secrets{"standard": {hookSecret}}
	server, err := localserver.Listen(t.Context(), localserver.Options{
		Addr: "127.0.0.1:0", Answered: func(context.Context, localserver.Answered) {}, Tokens: f.Tokens.Options(f.Clock),
		Dev:      &localserver.Dev{Page: fstest.MapFS{}},
		Requests: f.Requests(), Batches: f.Batches(), Limits: localserver.Limits{All: throttle},
		Ready: func(context.Context) error { return nil }, Drain: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Client = harness.NewClient(t, "http://"+server.Addr())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	get := func(query string) string { return strings.TrimSpace(f.Get("/dev/token?"+query, "").Body) }
	f.service, f.user = get("scope="+auth.ServiceScope), func(id string) string { return get("user=" + id) }
	return f
}

// open is a forum whose options are changed once it is prepared.
func open(change ...func(*forum, *httpapi.Options)) func(*testing.T) *forum {
	return func(t *testing.T) *forum {
		t.Helper()
		f := &forum{Forum: harness.NewForum(t, harness.Setup{})}
		f.Hooks = hooks.Secrets{"standard": {hookSecret}}
		f.service, f.user = f.Service(), f.User
		f.Serve()
		prepare(f)
		f.Serve(func(o *httpapi.Options) {
			for _, c := range change {
				c(f, o)
			}
		})
		return f
	}
}

// beginVoids has the voids that wait begin.
func beginVoids(f *forum, _ *httpapi.Options) {
	if _, err := f.Recorder.VoidPass(f.TB.Context(), time.Hour); err != nil {
		f.TB.Fatal(err)
	}
}

// withoutRedis has Redis unavailable, withoutTable the table and the queue; failing has a
// fault in the handler.
func withoutRedis(f *forum, _ *httpapi.Options) { _ = f.Redis.Close() }

func withoutTable(f *forum, o *httpapi.Options) {
	o.Queue = full{}
	f.Table.Unavailable.Store(true)
}

func failing(_ *forum, o *httpapi.Options) {
	o.Metrics = metrics.New(io.Discard, metrics.Options{Namespace: "Laurel", Now: func() time.Time { panic("a fault") }})
}

// full is a queue that takes nothing more.
type full struct{}

func (full) Send(context.Context, []byte, auth.Caller) (string, error) {
	return "", httpapi.ErrQueueFull
}

// must sends a request, "PUT /v1/users/ann {}", which has to succeed.
func (f *forum) must(request string) {
	f.TB.Helper()
	method, rest, _ := strings.Cut(request, " ")
	path, body, _ := strings.Cut(rest, " ")
	if a := f.Do(method, path, f.service, body); a.Status >= http.StatusMultipleChoices {
		f.TB.Fatalf("%s: %d %s", request, a.Status, a.Body)
	}
}
