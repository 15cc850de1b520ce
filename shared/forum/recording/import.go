package recording

import (
	"bytes"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

const (
	importRows  = 2_000 // activities that are read, decided and written together, except one user with more
	importSteps = 4     // side by side
)

// Import records history: activities without violations, of any age and in any order. It takes as many as the caller
// has memory for, and writes each ledger once for all activities of its user in the month, except after conflicts. It
// shows nothing: the caller compares the view at the end. It returns results in the order of the activities.
func (r *Recorder) Import(ctx context.Context, acts []activity.Activity, now board.Moment) []Result {
	results := make([]Result, len(acts))
	head, err := r.items.Known(ctx)
	if err != nil {
		for i := range results {
			results[i].Err = err
		}
		return results
	}
	users, keyOf := r.tasksOf(head, acts, results), head.Keys()
	for _, t := range users {
		t.key = keyOf(t.user)
	}
	slices.SortFunc(users, func(a, b *task) int { return bytes.Compare(a.key[:], b.key[:]) })
	var steps errgroup.Group
	steps.SetLimit(importSteps)
	for len(users) > 0 {
		n, rows := 0, 0
		for ; n < len(users) && (n == 0 || rows+len(users[n].acts) <= importRows); n++ {
			rows += len(users[n].acts)
		}
		some := users[:n:n]
		users = users[n:]
		steps.Go(func() error {
			b := &batch{r: r, arrival: Arrival{Now: now, AnyAge: true}, head: head, quiet: true}
			if err := b.record(ctx, some); err != nil {
				failAll(some, err)
			}
			return nil
		})
	}
	_ = steps.Wait() // each result has its error
	return results
}
