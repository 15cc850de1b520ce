package recovery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"laurel/shared/redisstore"
)

// A Result says what a rebuild has filled.
type Result struct {
	Parts    redisstore.Parts `json:"parts"` // of Redis, that were filled
	Stamp    redisstore.Stamp `json:"stamp"` // that they have now
	Statuses int64            `json:"statuses"`
	Articles int64            `json:"articles"`
	Lists    int64            `json:"lists"` // follow lists
	Totals   int64            `json:"totals"`
	Users    int64            `json:"users"`            // with rows
	Rows     int64            `json:"rows"`             // merged
	Damaged  int64            `json:"damaged"`          // items in the table, and pages of users: they are left out
	Opened   []string         `json:"opened,omitempty"` // periods that were closed and not archived: they are open again
	Seconds  float64          `json:"seconds"`
}

// Add adds what a rebuild has filled that went on where this one was.
func (r *Result) Add(next Result) {
	next.Users += r.Users
	next.Rows += r.Rows
	next.Damaged = max(next.Damaged, r.Damaged)
	next.Opened = append(r.Opened, next.Opened...)
	next.Seconds += r.Seconds
	*r = next
}

// Rebuild fills the parts of Redis that lack the table's stamp, and then stamps them: with
// a new generation if all were lost. Without such a part it does nothing. The error wraps
// ErrOther if Redis or the table is of another number of shards and Reshard is not said,
// or of another zone or format. It may be done again after an error. With a Slice it may
// return ErrPaused; what goes on then is without Reshard and Empty.
func Rebuild(ctx context.Context, o Options) (Result, error) {
	ctx = redisstore.WhenFull(ctx)
	began := time.Now()
	r := open(o)
	err := r.run(ctx)
	r.result.Seconds = time.Since(began).Seconds()
	if err != nil {
		return r.result, fmt.Errorf("recovery: %w", err)
	}
	r.Log.InfoContext(ctx, "Redis is filled", "stamp", r.result.Stamp.String(), "users", r.result.Users,
		"rows", r.result.Rows, "seconds", r.result.Seconds)
	return r.result, nil
}

func (r *rebuild) run(ctx context.Context) error {
	was, err := r.begin(ctx)
	if err != nil || r.lost.None() {
		return err
	}
	if err := r.readTombstones(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{
		r.closePeriods, r.voids, r.articles, r.statuses, r.totals, r.follows, r.rows,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	next := was
	if len(r.lost.Shards) == r.Shards && r.lost.Articles && !r.stamped {
		next = r.stamp(was.Generation + 1)
		if err := r.State.ReplaceStamp(ctx, was, next); err != nil {
			return err
		}
	}
	r.result.Parts, r.result.Stamp = r.lost, next
	if err := r.live.Redis().SetFilled(ctx, r.lost, ""); err != nil {
		return err
	}
	return r.live.WriteStamp(ctx, next)
}

// begin finds out what is lost, and returns the table's stamp. It refuses what is of other
// settings.
func (r *rebuild) begin(ctx context.Context) (was redisstore.Stamp, err error) {
	stamp, err := r.State.Stamp(ctx)
	if err != nil {
		return was, err
	}
	if stamp == nil {
		if was, err = r.State.PutFirst(ctx, r.stamp(1)); err != nil {
			return was, err
		}
		stamp = &was
	}
	was = *stamp
	want := r.stamp(was.Generation)
	if was.Shards != want.Shards && r.Reshard {
		want.Shards = was.Shards
	}
	if was != want {
		return was, fmt.Errorf("%w: the table has %s; want %s", ErrOther, was, want)
	}
	if r.Reshard || r.Empty {
		return r.empty(ctx, was)
	}
	if r.All && r.Slice.from() != "" { // it was begun: what is there of articles has votes
		r.lost, r.stamped = r.live.Parts(), true
		return was, nil
	}
	if r.lost, err = r.live.Lacking(ctx, was); err != nil {
		return was, err
	}
	if err := r.clearArticles(ctx); err != nil {
		return was, err
	}
	if r.stamped = r.lost.None() || r.All && len(r.lost.Shards) == 0; r.stamped && r.All {
		r.lost = r.live.Parts()
		// Articles cannot be merged into what is left of them.
		return was, r.live.RemoveArticles(ctx)
	}
	if len(r.lost.Shards) < r.Shards {
		return was, nil
	}
	return was, r.live.EachKey(ctx, func(keys []string) error {
		if slices.ContainsFunc(keys, r.live.Strange) {
			return fmt.Errorf("%w: it has keys that are not of %d shards; to remove them, ask for resharding",
				ErrOther, r.Shards)
		}
		return nil
	})
}

// clearArticles removes what is left of articles that have lost their stamp, as votes that are
// there are not counted again: a removal was cut off, or keys were evicted. What an
// interrupted rebuild has merged stays.
func (r *rebuild) clearArticles(ctx context.Context) error {
	if !r.lost.Articles {
		return nil
	}
	filled, err := r.live.Redis().Filled(ctx, redisstore.Parts{Articles: true})
	if err != nil || filled != "" {
		return err
	}
	return r.live.RemoveArticles(ctx)
}

// empty removes everything from Redis; for resharding only what is of another number of
// shards. The table's stamp changes first, so that other processes stop.
func (r *rebuild) empty(ctx context.Context, was redisstore.Stamp) (redisstore.Stamp, error) {
	next := was
	if was.Shards != r.Shards || r.Empty {
		next = r.stamp(was.Generation + 1)
		if err := r.State.ReplaceStamp(ctx, was, next); err != nil {
			return was, err
		}
	}
	var err error
	if r.lost, err = r.live.Lacking(ctx, next); err != nil || r.lost.None() {
		return next, err
	}
	r.lost = r.live.Parts()
	return next, r.live.RemoveAll(ctx)
}
