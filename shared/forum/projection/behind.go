package projection

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"laurel/shared/core/board"
	"laurel/shared/core/metrics"
	"laurel/shared/store/items"
)

// A report keeps whether the head still has to be marked as behind.
type report struct {
	due atomic.Bool
	mu  sync.Mutex // of the caller that tells it
}

// Lacks notes that the view may lack a write whose outcome is unknown; BehindIfDue says so in the head.
func (p *Projector) Lacks() { p.behind.due.Store(true) }

// BehindIfDue says in the head that the view is behind, if an earlier call could not, or Lacks has noted a reason.
func (p *Projector) BehindIfDue(ctx context.Context, reason string) {
	if p.behind.due.Load() {
		p.Behind(ctx, reason)
	}
}

// Behind says in the head that the view may lack something, unless the head says so already and no comparison has begun
// since. Calls side by side share one write. It tries even if the caller has gone: a later report repeats a call that
// failed.
func (p *Projector) Behind(ctx context.Context, reason string) {
	p.behind.due.Store(true)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Wait)
	defer cancel()
	p.behind.mu.Lock()
	defer p.behind.mu.Unlock()
	if !p.behind.due.Swap(false) { // by one that has begun since
		return
	}
	first := false
	_, err := p.items.ChangeHead(ctx, func(h *items.Head) error {
		first = h.Behind == nil
		if !h.FallBehind(reason, board.MomentOf(time.Now())) {
			return items.ErrUnchanged
		}
		return nil
	})
	switch {
	case err != nil:
		p.behind.due.Store(true)
		p.log.WarnContext(ctx, "the head could not say that the view is behind", "reason", reason, "cause", err)
	case first:
		p.log.WarnContext(metrics.Counted(ctx), "the view is behind", "reason", reason)
	}
}
