package metrics

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// Units, as the specification spells them.
const (
	milliseconds = "Milliseconds"
	count        = "Count"
)

// dimension is the only one. Each of its values makes metrics of its own, which cost
// money, so counters have none.
const dimension = "Operation"

// A Meter writes lines of metrics. It is safe for concurrent use; a nil Meter is off.
type Meter struct {
	namespace string
	level     string // of the log; "" for one that shows INFO
	now       func() time.Time
	mu        sync.Mutex
	out       io.Writer
}

// New returns a meter that writes to out, for metrics of a namespace of 1 to 255
// characters. Without a namespace it returns nil.
func New(out io.Writer, namespace string, now func() time.Time) *Meter {
	if namespace == "" {
		return nil
	}
	return &Meter{namespace: namespace, now: now, out: out}
}

// AtLevel has lines name a level of Lambda's, and when they were written: Lambda takes a line
// without them for one of INFO, and drops it from a log that is above that.
func (m *Meter) AtLevel(level string) *Meter {
	if m != nil {
		m.level = level
	}
	return m
}

// directive returns the part of a line that says which members are metrics, and by
// which dimensions.
func (m *Meter) directive(dimensions []string, definitions []any) any {
	return map[string]any{"Namespace": m.namespace, "Dimensions": [][]string{dimensions}, "Metrics": definitions}
}

func definition(name, unit string) any { return map[string]any{"Name": name, "Unit": unit} }

// write writes the line of finished work.
func (m *Meter) write(w *Work, failed bool) {
	now := m.now()
	line := map[string]any{
		dimension:    w.operation,
		"Latency":    float64(now.Sub(w.began).Microseconds()) / 1000,
		"RoundTrips": w.trips.Load(),
		"Errors":     0,
	}
	if failed {
		line["Errors"] = 1
	}
	if m.level != "" {
		line["level"], line["timestamp"] = m.level, now.UTC().Format(time.RFC3339Nano)
	}
	directives := []any{m.directive([]string{dimension}, []any{
		definition("Latency", milliseconds), definition("RoundTrips", count), definition("Errors", count),
	})}
	if len(w.counts) > 0 {
		var definitions []any
		for _, name := range w.names {
			line[name] = w.counts[name]
			definitions = append(definitions, definition(name, count))
		}
		directives = append(directives, m.directive([]string{}, definitions))
	}
	line["_aws"] = map[string]any{"Timestamp": now.UnixMilli(), "CloudWatchMetrics": directives}
	text, err := json.Marshal(line)
	if err != nil { // never: strings and numbers
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, _ = m.out.Write(append(text, '\n')) // the log is the only place to report an error
}
