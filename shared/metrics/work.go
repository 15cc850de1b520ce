package metrics

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Work is a measured request or batch. It is safe for concurrent use; nil is one that
// is not measured.
type Work struct {
	meter     *Meter
	operation string
	began     time.Time
	trips     atomic.Int64

	mu     sync.Mutex
	counts map[string]int
}

type workKey struct{}

// Begin starts measuring work and returns a context that has it. The operation is a
// constant of the program.
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
func CountTrip(ctx context.Context, _ time.Duration) { From(ctx).Trip() }

// Trip counts one round trip to Redis.
func (w *Work) Trip() {
	if w != nil {
		w.trips.Add(1)
	}
}

// Count adds n to the counter of a name, which is a constant of the program.
func (w *Work) Count(name string, n int) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[name] += n
}

// Activity counts an activity by the status of its receipt: nothing_to_revoke as
// ActivitiesNothingToRevoke.
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

// End adds the work to what is written; failed sets its Errors. It is called once.
func (w *Work) End(failed bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.meter.add(w, failed)
}
