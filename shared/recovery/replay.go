package recovery

import (
	"context"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// replayRows is the number of rows that Replay sorts by user at once: about 20 MB.
const replayRows = 100_000

// Replayed says what a replay has come to.
type Replayed struct {
	Rows    int64 `json:"rows"`
	Changed int64 `json:"changed"` // rows that changed something: Redis had lost their commits, or had none
	Damaged int64 `json:"damaged"` // users whose pages are, and whose rows are left out
}

// Replay merges what has arrived from one moment on and before another, beside requests:
// after a failover that lost commits. It may be done again. The error wraps
// redisstore.ErrStamp if Redis is not whole.
func Replay(ctx context.Context, o Options, from, until board.Moment) (Replayed, error) {
	r := open(o)
	_, err := r.expectStamp(ctx)
	if err == nil {
		err = r.readTombstones(ctx)
	}
	if err != nil {
		return Replayed{}, fmt.Errorf("recovery: replay: %w", err)
	}
	r.lost = r.live.Parts()
	var done Replayed
	var rows []ledger.Row
	flush := func() error {
		m := r.merging(ctx, false, func(int64) {})
		err := m.addAll(rows)
		rows, done.Damaged = nil, done.Damaged+m.damaged.Load()
		done.Rows, done.Changed = done.Rows+m.done.Load(), done.Changed+m.moved.Load()
		return err
	}
	err = r.Journal.Read(ctx, from, until, func(arrival board.Moment, more []ledger.Row) error {
		for i := range more {
			more[i].Arrived = arrival
		}
		if rows = append(rows, more...); len(rows) < replayRows {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil && done.Changed > 0 {
		err = r.live.PutVoids(ctx)
	}
	if err != nil {
		return done, fmt.Errorf("recovery: replay: %w", err)
	}
	return done, nil
}
