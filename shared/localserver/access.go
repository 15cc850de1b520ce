package localserver

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Lines returns what writes a line for each request: when, what came of it, how long it took.
// What a browser has already, 304, and the page's own files are not worth one.
func Lines(out io.Writer, now func() time.Time, zone *time.Location) func(context.Context, Answered) {
	return func(_ context.Context, a Answered) {
		if a.Status == http.StatusNotModified || (a.Status == http.StatusOK && strings.HasPrefix(a.URI, "/demo/")) {
			return
		}
		took := fmt.Sprintf("%.1fs", a.Took.Seconds())
		if a.Took < time.Second {
			took = fmt.Sprintf("%.1fms", float64(a.Took)/float64(time.Millisecond))
		}
		at := now().In(zone).Format(time.TimeOnly)
		_, _ = fmt.Fprintf(out, "%s  %d  %6s  %-4s %s\n", at, a.Status, took, a.Method, a.URI)
	}
}

// gatherTime is how late a line may be.
const gatherTime = 50 * time.Millisecond

// Gathered passes on together what is written within gatherTime: a line for each request is
// a tenth of what a request costs.
type Gathered struct {
	Out io.Writer

	mu   sync.Mutex
	text []byte
}

// Write keeps what is written for a moment.
func (g *Gathered) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) == 0 {
		time.AfterFunc(gatherTime, g.Flush) // once for all until then
	}
	g.text = append(g.text, p...)
	return len(p), nil
}

// Flush passes on what is kept.
func (g *Gathered) Flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) > 0 {
		_, _ = g.Out.Write(g.text)
		g.text = g.text[:0]
	}
}
