package localserver

import (
	"context"
	"io"
	"net/http"
	"strconv"
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
		line := now().In(zone).AppendFormat(make([]byte, 0, lineLen), time.TimeOnly)
		line = append(strconv.AppendInt(append(line, "  "...), int64(a.Status), 10), "  "...)
		took := short(a.Took)
		line = append(append(line, "      "[min(len(took), 6):]...), took...)
		line = append(append(line, "  "...), a.Method...)
		line = append(append(line, "     "[min(len(a.Method), 4):]...), a.URI...)
		_, _ = out.Write(append(line, '\n'))
	}
}

// lineLen is as long as most lines are.
const lineLen = 128

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

// short is a duration in a few characters.
func short(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64) + "ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
}
