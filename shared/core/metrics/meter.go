// Package metrics writes metrics of requests and batches in CloudWatch's embedded metric format: one JSON object a
// line, which CloudWatch Logs turns into metrics without a call that a request waits for.
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html)
//
//	by dimension Operation   Latency (ms), RoundTrips (to Redis), Errors (0 or 1)
//	without a dimension      counters: ActivitiesCounted, QueueFailures...
//
// It promises whole lines that tell of each piece of work, also under concurrency, and that names and dimensions are
// constants of the program: a line never has an id or a text of a request. A nil Meter measures and writes nothing.
package metrics

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Units, as the specification spells them.
const (
	milliseconds = "Milliseconds"
	count        = "Count"
)

// dimension is the only one. Each of its values makes metrics of its own, which cost money: counters have none.
const dimension = "Operation"

// maxValues is the maximum number of values that a metric has in a line.
const maxValues = 100

// Options are how metrics are written.
type Options struct {
	Namespace string // of 1 to 255 characters; "" for none
	Now       func() time.Time

	// Every is the time that a line gathers finished work for, 100 pieces at most: a line for each is most of a
	// log, and paid for. The work of a process's last seconds is lost with it.
	Every time.Duration
	// Level is that of Lambda's which lines name with when they were written: it takes a line without them for one
	// of INFO, and drops it from a log that is above that. "" names none.
	Level string
}

// A Meter writes lines of metrics. It is safe for concurrent use; a nil Meter is off.
type Meter struct {
	Options
	mu       sync.Mutex
	out      io.Writer
	wrote    time.Time
	gathered []*line // one for each operation
}

// A line gathers the work of an operation.
type line struct {
	operation     string
	last          time.Time
	latency       []any
	trips, errors []any
	counts        map[string]int
}

// New returns a meter that writes to out, nil without a namespace.
func New(out io.Writer, o Options) *Meter {
	if o.Namespace == "" {
		return nil
	}
	return &Meter{Options: o, out: out}
}

// directive returns the part of a line that names its metrics, and their dimensions.
func (m *Meter) directive(dimensions []string, definitions []any) any {
	return map[string]any{"Namespace": m.Namespace, "Dimensions": [][]string{dimensions}, "Metrics": definitions}
}

func definition(name, unit string) any { return map[string]any{"Name": name, "Unit": unit} }

// add adds finished work, and writes lines if it is time to.
func (m *Meter) add(w *Work, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.Now()
	index := slices.IndexFunc(m.gathered, func(l *line) bool { return l.operation == w.operation })
	if index < 0 {
		index = len(m.gathered)
		m.gathered = append(m.gathered, &line{operation: w.operation, counts: map[string]int{}})
	}
	l := m.gathered[index]
	l.last, l.latency = now, append(l.latency, float64(now.Sub(w.began).Microseconds())/1000)
	l.trips = append(l.trips, w.trips.Load())
	if failed {
		l.errors = append(l.errors, 1)
	} else {
		l.errors = append(l.errors, 0)
	}
	for name, n := range w.counts {
		l.counts[name] += n
	}
	if now.Sub(m.wrote) < m.Every && len(l.latency) < maxValues {
		return
	}
	for _, l := range m.gathered {
		m.write(l)
	}
	m.gathered, m.wrote = nil, now
}

// write writes a line.
func (m *Meter) write(l *line) {
	text := map[string]any{
		dimension: l.operation, "Latency": one(l.latency), "RoundTrips": one(l.trips), "Errors": one(l.errors),
	}
	if m.Level != "" {
		text["level"], text["timestamp"] = m.Level, l.last.UTC().Format(time.RFC3339Nano)
	}
	directives := []any{m.directive([]string{dimension}, []any{
		definition("Latency", milliseconds), definition("RoundTrips", count), definition("Errors", count),
	})}
	if len(l.counts) > 0 {
		var definitions []any
		for _, name := range slices.Sorted(maps.Keys(l.counts)) {
			text[name] = l.counts[name]
			definitions = append(definitions, definition(name, count))
		}
		directives = append(directives, m.directive([]string{}, definitions))
	}
	text["_aws"] = map[string]any{"Timestamp": l.last.UnixMilli(), "CloudWatchMetrics": directives}
	bytes, err := json.Marshal(text)
	if err != nil { // never: strings and numbers
		return
	}
	_, _ = m.out.Write(append(bytes, '\n')) // the log is the only place to report an error
}

// one returns values as the format has them: a single one is no list.
func one(values []any) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

type countedKey struct{}

// Counted marks a line of the log that a metric filter of the template counts. The functions write such lines
// at any level of their log, and at that level at least, as Lambda drops lines below it.
func Counted(ctx context.Context) context.Context { return context.WithValue(ctx, countedKey{}, true) }

// IsCounted says whether a line of the log is counted.
func IsCounted(ctx context.Context) bool { return ctx.Value(countedKey{}) != nil }

// Work is a measured request or batch. It is safe for concurrent use; nil is one that is not measured.
type Work struct {
	meter     *Meter
	operation string
	began     time.Time
	trips     atomic.Int64

	mu     sync.Mutex
	counts map[string]int
}

type workKey struct{}

// Begin starts measuring work and returns a context that has it. The operation is a constant of the program.
func (m *Meter) Begin(ctx context.Context, operation string) (context.Context, *Work) {
	if m == nil {
		return ctx, nil
	}
	w := &Work{meter: m, operation: operation, began: m.Now(), counts: map[string]int{}}
	return context.WithValue(ctx, workKey{}, w), w
}

// From returns the context's work, nil if it has none.
func From(ctx context.Context) *Work {
	w, _ := ctx.Value(workKey{}).(*Work)
	return w
}

// CountTrip counts one round trip to Redis for the work that a context carries.
func CountTrip(ctx context.Context, _ time.Duration) {
	if w := From(ctx); w != nil {
		w.trips.Add(1)
	}
}

// Count adds n to the counter of a name; the name is a constant of the program.
func (w *Work) Count(name string, n int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[name] += n
}

// Activity counts an activity by the status of its receipt: nothing_to_revoke as ActivitiesNothingToRevoke.
func (w *Work) Activity(status string) {
	if w == nil {
		return
	}
	var name strings.Builder
	name.WriteString("Activities")
	for word := range strings.SplitSeq(status, "_") {
		if word != "" {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	w.Count(name.String(), 1)
}

// End adds the work to the gathered lines; failed sets its Errors. It is called once.
func (w *Work) End(failed bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.meter.add(w, failed)
}
