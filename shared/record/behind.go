package record

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"laurel/shared/board"
	"laurel/shared/metrics"
	"laurel/shared/records"
)

// A saying keeps whether it has to be said that the view is behind.
type saying struct {
	due atomic.Bool
	mu  sync.Mutex // of who says it
}

// Behind says in the head that the view may lack something, unless that is said there already
// and no comparison has begun since. Calls side by side share what they write. It does what it
// can, also where the caller has gone: what could not be said is said with a later report.
func (r *Recorder) Behind(ctx context.Context, reason string) {
	r.says.due.Store(true)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), showFor)
	defer cancel()
	r.says.mu.Lock()
	defer r.says.mu.Unlock()
	if !r.says.due.Swap(false) { // by one that has begun since
		return
	}
	first := false
	_, err := r.Records.ChangeHead(ctx, func(h *records.Head) error {
		was := h.Behind
		if h.Behind = behind(h, reason); was != nil && was.Number == h.Behind.Number {
			return records.ErrUnchanged
		}
		first = was == nil
		return nil
	})
	switch {
	case err != nil:
		r.says.due.Store(true)
		r.Log.WarnContext(ctx, "the head could not say that the view is behind", "reason", reason, "cause", err)
	case first:
		r.Log.WarnContext(metrics.Counted(ctx), "the view is behind", "reason", reason)
	}
}

// behind returns what a head says of a view that is behind from now on: the same, unless a
// comparison has begun since it was said, which may have passed already what is missing.
func behind(h *records.Head, reason string) *records.Behind {
	now := board.MomentOf(time.Now())
	if h.Behind == nil {
		return &records.Behind{Since: now, Reason: reason, Number: int64(now)}
	}
	next := *h.Behind
	if next.Begun == next.Number {
		next.Number = max(next.Number+1, int64(now))
	}
	return &next
}
