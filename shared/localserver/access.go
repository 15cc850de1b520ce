package localserver

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// logged writes a line for each request: when, what came of it, how long it took.
// What a browser has already, 304, and the page's own files are not worth one.
func logged(out io.Writer, now func() time.Time, zone *time.Location, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		seen := &watched{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		if seen.status == http.StatusNotModified ||
			(seen.status == http.StatusOK && len(r.URL.Path) > 5 && r.URL.Path[:6] == "/demo/") {
			return
		}
		_, _ = fmt.Fprintf(out, "%s  %d  %6s  %-4s %s\n",
			now().In(zone).Format(time.TimeOnly), seen.status, short(time.Since(began)), r.Method, r.URL.RequestURI())
	})
}

// gatherTime is how late a line may be.
const gatherTime = 50 * time.Millisecond

// gathered passes on together what is written within gatherTime: a line for each request is
// a tenth of what a request costs.
type gathered struct {
	out io.Writer

	mu   sync.Mutex
	text []byte
}

// Write keeps what is written for a moment.
func (g *gathered) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) == 0 {
		time.AfterFunc(gatherTime, g.flush) // once for all until then
	}
	g.text = append(g.text, p...)
	return len(p), nil
}

// flush passes on what is kept.
func (g *gathered) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.text) > 0 {
		_, _ = g.out.Write(g.text)
		g.text = g.text[:0]
	}
}

// short is a duration in a few characters.
func short(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond))
	}
	return fmt.Sprintf("%.1fs", d.Seconds())
}

// watched knows the status of an answer.
type watched struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status, and keeps it.
func (w *watched) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *watched) Unwrap() http.ResponseWriter { return w.ResponseWriter }
