package localserver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laurel/shared/api/httpapi"
	"laurel/shared/store/view"
)

type timingKey struct{}

// ViewTook adds the time of a round trip to the view to that of the request that made it.
func ViewTook(ctx context.Context, took time.Duration) {
	if t, ok := ctx.Value(timingKey{}).(*timing); ok {
		t.view.Add(int64(took))
	}
}

// Answered describes the answer to a request.
type Answered struct {
	Method, URI string
	Route       string // the pattern of its operation; "" for none
	Status      int
	Took, View  time.Duration // in all, and of trips to the view
}

// timed identifies each request. It says in the header Server-Timing how many milliseconds an answer took, on
// trips to a view in Redis and beside them, and tells of it when it is over. Trips that are made at once all count.
func timed(next http.Handler, kind view.Kind, answered func(context.Context, Answered)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &timing{ResponseWriter: w, began: time.Now(), kind: kind}
		t.Method, t.URI = r.Method, r.URL.RequestURI()
		asked := r.WithContext(context.WithValue(httpapi.Identify(w, r), timingKey{}, t))
		next.ServeHTTP(t, asked)
		t.Route, t.Status = asked.Pattern, cmp.Or(t.Status, http.StatusOK)
		t.Took, t.View = time.Since(t.began), time.Duration(t.view.Load())
		answered(asked.Context(), t.Answered)
	})
}

// timing is an answer with the time that it took.
type timing struct {
	http.ResponseWriter
	Answered
	began time.Time
	kind  view.Kind
	view  atomic.Int64 // in nanoseconds
}

// WriteHeader adds the header, the first time.
func (t *timing) WriteHeader(status int) {
	if t.Status == 0 {
		t.Status = status
		t.Header().Set("Server-Timing", t.header())
	}
	t.ResponseWriter.WriteHeader(status)
}

// header is that of the time so far. A view in this process makes no trips: its time is the server's own.
func (t *timing) header() string {
	const ms = float64(time.Millisecond)
	trips := time.Duration(t.view.Load())
	app := float64(max(time.Since(t.began)-trips, 0)) / ms
	if t.kind == view.Memory {
		return fmt.Sprintf("view;desc=%s, app;dur=%.3f", t.kind, app)
	}
	return fmt.Sprintf("view;desc=%s;dur=%.3f, app;dur=%.3f", t.kind, float64(trips)/ms, app)
}

// Write sends some of the body.
func (t *timing) Write(p []byte) (int, error) {
	if t.Status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (t *timing) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// Lines returns a function that writes a line for each request: when, its status, how long it took.
// Answers that a browser has already, 304, and the page's own files are not worth one.
func Lines(out io.Writer, now func() time.Time, zone *time.Location) func(context.Context, Answered) {
	return func(_ context.Context, a Answered) {
		if a.Status == http.StatusNotModified || (a.Status == http.StatusOK && strings.HasPrefix(a.URI, "/demo/")) {
			return
		}
		took := fmt.Sprintf("%.1fs", a.Took.Seconds())
		if a.Took < time.Second {
			took = fmt.Sprintf("%.1fms", float64(a.Took)/float64(time.Millisecond))
		}
		clock := now().In(zone).Format(time.TimeOnly)
		_, _ = fmt.Fprintf(out, "%s  %d  %6s  %-4s %s\n", clock, a.Status, took, a.Method, a.URI)
	}
}

// gatherTime is how late a line may be.
const gatherTime = 50 * time.Millisecond

// Gathered passes on together the lines that are written within gatherTime: a line for each request is
// a tenth of the cost of a request.
type Gathered struct {
	Out io.Writer

	mu   sync.Mutex
	text []byte
}

// Write keeps text for a moment.
func (g *Gathered) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) == 0 {
		time.AfterFunc(gatherTime, g.Flush) // once for all until then
	}
	g.text = append(g.text, p...)
	return len(p), nil
}

// Flush passes on the kept text.
func (g *Gathered) Flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) > 0 {
		_, _ = g.Out.Write(g.text)
		g.text = g.text[:0]
	}
}
