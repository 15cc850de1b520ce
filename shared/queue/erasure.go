package queue

import (
	"context"

	"laurel/shared/board"
)

// erasure is a message that asks for a user to be erased.
type erasure struct {
	message, user string
	sent          board.Moment
}

// erase begins the batch's erasures, after what it records, and says whether all went well.
// The ticks finish them.
func (b *batch) erase(ctx context.Context) (well bool) {
	well = true
	for _, e := range b.erasures {
		if err := b.Erase(ctx, e.user, e.sent); err != nil {
			b.Log.WarnContext(ctx, "an erasure is to be delivered again", "message", e.message, "cause", err.Error())
			well = false
			b.failures = append(b.failures, e.message)
		}
	}
	return well
}
