package metrics

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxCounts is how many names one piece of work may count under: a directive of
// the format has up to 100 metrics.
const maxCounts = 100

// Work is one request or batch that is being measured. It is safe for concurrent
// use; nil is one that is not measured.
type Work struct {
	meter     *Meter
	operation string
	began     time.Time
	trips     atomic.Int64

	mu     sync.Mutex
	names  []string // of counts, as they came
	counts map[string]int
}

type workKey struct{}

// Begin begins to measure a piece of work, which the returned context carries.
// The operation is one of a few words that the program has.
func (m *Meter) Begin(ctx context.Context, operation string) (context.Context, *Work) {
	if m == nil {
		return ctx, nil
	}
	w := &Work{meter: m, operation: operation, began: m.now(), counts: map[string]int{}}
	return context.WithValue(ctx, workKey{}, w), w
}

// From returns the work that a context carries, nil when it carries none.
func From(ctx context.Context) *Work {
	w, _ := ctx.Value(workKey{}).(*Work)
	return w
}

// Trip counts one round trip to Redis.
func (w *Work) Trip() {
	if w != nil {
		w.trips.Add(1)
	}
}

// Count adds to what is counted under a name, which is a word of the program.
func (w *Work) Count(name string, n int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, known := w.counts[name]; !known {
		if len(w.names) == maxCounts {
			return
		}
		w.names = append(w.names, name)
	}
	w.counts[name] += n
}

// Activity counts an activity by the status of its receipt: nothing_to_revoke is
// counted as ActivitiesNothingToRevoke.
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

// End writes the line, with whether the work has failed. It is called once.
func (w *Work) End(failed bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.meter.write(w, failed)
}
