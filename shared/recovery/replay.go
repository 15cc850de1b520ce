package recovery

import (
	"context"
	"fmt"
	"time"

	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

const (
	// replayRows is the number of rows that Replay sorts by user at once: about 20 MB.
	replayRows = 100_000
	// inFlight is the age until which a conflict may still take back what has arrived.
	inFlight = time.Minute
)

// Replayed says what a replay has come to.
type Replayed struct {
	Rows    int64 `json:"rows"`
	Changed int64 `json:"changed"` // rows that changed something: Redis had lost their commits, or had none
	Damaged int64 `json:"damaged"` // users whose pages are, and whose rows are left out
}

// Replay merges what has arrived from one moment on and before another, beside requests:
// after a failover that lost commits. It may be done again. The error wraps
// redisstore.ErrStamp if Redis is not whole.
func Replay(ctx context.Context, o Options, from, until board.Moment) (done Replayed, err error) {
	r := open(o)
	if _, err = r.expectStamp(ctx); err == nil {
		done, err = r.replay(ctx, r.live.Parts(), from, until)
	}
	if err != nil {
		return done, fmt.Errorf("recovery: replay: %w", err)
	}
	return done, nil
}

// replay is Replay into parts of Redis.
func (r *rebuild) replay(ctx context.Context, into redisstore.Parts, from, until board.Moment) (
	done Replayed, err error,
) {
	if err := r.readTombstones(ctx); err != nil {
		return done, err
	}
	r.lost = into
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
	return done, err
}

// closeAgain makes the closed-period set of every shard what is kept, after replayOpened.
func (r *rebuild) closeAgain(ctx context.Context) (changed int64, err error) {
	changed, err = r.replayOpened(ctx, redisstore.Parts{})
	if err == nil {
		err = r.live.SetClosed(ctx, func(c *board.Closed) *board.Closed { return c })
	}
	return changed, err
}

// replayOpened replays what Redis may lack of closed periods that a failover has opened again,
// and returns how many rows changed something. It is called before they are closed again: then
// rows of a day of which a user has no page are left out, as the page is gone when the day is
// final. It begins with the first day that was proved once, as what a proof has merged before it
// closed a period may be lost, too. Parts that are lost are left out. It saves the reopenings that
// a failover has lost.
func (r *rebuild) replayOpened(ctx context.Context, lost redisstore.Parts) (changed int64, err error) {
	again := open(r.Options)
	again.live = r.live
	if err := again.readClosed(ctx); err != nil {
		return 0, err
	}
	sets, err := r.live.ClosedSets(ctx)
	if err != nil {
		return 0, err
	}
	into, opened := redisstore.Parts{Articles: !lost.Articles}, false
	var there []*redisstore.ClosedSet
	for shard, set := range sets {
		if !lost.HasShard(shard) {
			into.Shards, there = append(into.Shards, shard), append(there, set)
			opened = opened || again.hasOpen(set)
		}
	}
	if err := again.saveReopenings(ctx, there); err != nil || !opened {
		return 0, err
	}
	first := journal.DayOf(r.Now) - rawDays
	text, err := r.State.Cursor(ctx, state.CursorProof)
	if err == nil && text != "" {
		first, err = board.ParseDate(text)
	}
	if err != nil {
		return 0, err
	}
	done, err := again.replay(ctx, into, journal.StartOf(first).Add(-aheadFor), r.Now.Add(-inFlight))
	return done.Changed, err
}

// hasOpen says whether a shard has a period open that is closed.
func (r *rebuild) hasOpen(set *redisstore.ClosedSet) bool {
	for name, p := range r.closed.Periods() {
		if _, mark := redisstore.IsMark(name); !mark && !set.Periods.Has(name, p) {
			return true
		}
	}
	return false
}
