package items

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/board"
)

// A State is the state of work that goes through everybody's items.
type State string

// The states of work.
const (
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"
	Withdrawn State = "withdrawn"
)

// Progress says how far work is that goes through everybody's items, bucket after bucket, in several calls: the pass of
// a void, the second half of an erasure, or a merge of people.
type Progress struct {
	State  State        `json:"state"`
	Since  board.Moment `json:"since,omitempty"`  // when it came into its state, by real time
	Bucket int          `json:"bucket,omitempty"` // the next one
}

// Enter begins a state.
func (p *Progress) Enter(s State, now board.Moment) { *p = Progress{State: s, Since: now} }

// Ongoing says how far work is that takes several calls: erasures, merges of people, or voids.
type Ongoing struct {
	Done  int64     `json:"done"` // by this call
	Left  int64     `json:"left"`
	Since time.Time `json:"since,omitzero"` // of the oldest that is left
}

// Leave counts work that is left, and has been since a time.
func (o *Ongoing) Leave(since time.Time) {
	if o.Left == 0 || since.Before(o.Since) {
		o.Since = since
	}
	o.Left++
}

// bucketsAtOnce is how many buckets are gone over side by side.
const bucketsAtOnce = 8

// EachBucket calls do for all buckets, some of them side by side, and returns the first error, which ends the others.
func EachBucket(ctx context.Context, do func(ctx context.Context, bucket int) error) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(bucketsAtOnce)
	for bucket := range Buckets {
		group.Go(func() error { return do(within, bucket) })
	}
	return group.Wait()
}

// SaveTime is the part of its time that a call keeps to save its progress.
const SaveTime = 2 * time.Second

// ThroughBuckets calls do for each bucket from one on, as far as a call's time goes, and returns the first bucket that
// is left. The caller saves that also with an error. At least one is done, even if that takes all the time.
func ThroughBuckets(ctx context.Context, start int, do func(context.Context, int) error) (next int, err error) {
	within := ctx
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, deadline.Add(-SaveTime))
		defer cancel()
	}
	for next = start; next < Buckets && err == nil; {
		in := within
		if next == start {
			in = ctx
		}
		if err = do(in, next); err == nil {
			next++
		}
	}
	if next > start && within.Err() != nil {
		err = nil // the time was over within a bucket
	}
	return next, err
}
