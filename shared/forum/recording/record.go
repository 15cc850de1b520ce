package recording

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/forum/projection"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// Record records activities without violations and returns a result for each, in the same order. One user's are applied
// in the order given. It takes one read of the table and one write, and then one trip to the view; an error means that
// the table is unavailable, and that the outcome is unknown: send all again.
//
// Deliberate exceptions: a read more for boards over several months, for an article of a month whose ledger was not
// read along, and after each conflict; a write more for the first ledger of an earlier month than the head knows.
func (r *Recorder) Record(ctx context.Context, acts []activity.Activity, arrival Arrival) ([]Result, error) {
	head := r.items.LastHead()
	if head == nil {
		var err error
		if head, err = r.items.Head(ctx); err != nil {
			return nil, err
		}
	}
	results := make([]Result, len(acts))
	waiting := r.tasksOf(head, acts, results)
	soon, cancel := context.WithTimeout(ctx, lockFor)
	defer cancel()
	for len(waiting) > 0 {
		var err error
		waiting, err = r.locks.with(soon, waiting, func(free []*task) error {
			return (&batch{r: r, arrival: arrival, head: head}).record(ctx, free)
		})
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// A task is the work on one user's activities.
type task struct {
	user    string    // the person who stands for the users of the activities
	locked  string    // the user who is locked for it
	key     items.Key // by the head that it is read with
	acts    []activity.Activity
	given   []given // of each activity
	results []*Result

	needs    activity.Needs
	months   []board.MonthOf // months whose ledgers are asked for
	counting *ledger.Account // the part of the account that counts
	damaged  error           // nil: it can be read
	outcome  projection.Outcome
	lists    []items.Change // of the follow list, and of the person if it begins
	record   []items.Change // of awards in the operators' record, and of the person if it begins
	err      error
}

// fail makes an error the result of all of the task's activities.
func (t *task) fail(err error) {
	t.err = err
	for _, result := range t.results {
		*result = Result{Err: err}
	}
}

// A batch is tasks that are read and written together.
type batch struct {
	r       *Recorder
	arrival Arrival
	quiet   bool // nothing is shown, and each ledger is written by itself: the caller compares the view afterwards
	head    *items.Head
	found   *items.Found
	targets map[string]string // people who stand for followed users, as this read has found
	began   time.Time         // when the read of found began, or one before it that did not do
	today   board.Date
	days    view.Days // of the units that are made of found
}

// record records tasks whose users are locked, shows all, and gives the results the ranks that are known then. If the
// showing fails, the answer stands.
func (b *batch) record(ctx context.Context, tasks []*task) error {
	all, err := b.try(ctx, tasks)
	if err != nil || b.quiet {
		return err
	}
	shown := slices.DeleteFunc(slices.Clone(all), func(t *task) bool { return t.err != nil })
	reported := projection.Reported{Head: b.head, Today: b.today, Ranks: b.arrival.Ranks}
	for _, t := range shown {
		reported.Outcomes = append(reported.Outcomes, &t.outcome)
	}
	b.r.projector.ShowReported(ctx, reported)
	for _, t := range shown {
		for i, ranks := range t.outcome.Ranks {
			t.results[i].Ranks = ranks
		}
	}
	b.r.projector.BehindIfDue(ctx, "the table did not answer when a report could not be shown")
	return nil
}

// try reads, decides and writes, and repeats the tasks that others came before. It returns the tasks, which after a
// merge may be those of other people.
func (b *batch) try(ctx context.Context, all []*task) ([]*task, error) {
	until, cancel := context.WithDeadline(ctx, tryUntil(ctx))
	defer cancel()
	b.today = b.r.projector.Today()
	pending := all
	for attempt := 0; len(pending) > 0; attempt++ {
		if attempt > 0 && items.BackOff(until, attempt-1) != nil {
			failAll(pending, fmt.Errorf("%w: %w", items.ErrBusy, context.Cause(until)))
			break
		}
		switch err := b.read(until, pending); {
		case err != nil && attempt == 0:
			return nil, err
		case err != nil:
			failAll(pending, err)
			pending = nil
			continue
		}
		if met, others := b.meet(pending); others {
			again := func(t *task) bool { return slices.Contains(pending, t) }
			all = append(slices.DeleteFunc(slices.Clone(all), again), met...)
			pending = met
			continue
		}
		pending = b.write(until, b.decide(pending))
	}
	answered := func(t *task) bool { return !errors.Is(t.err, table.ErrUnavailable) }
	if len(all) > 0 && !slices.ContainsFunc(all, answered) {
		return nil, all[0].err
	}
	return all, nil
}

// tryUntil returns the time until which a batch is tried: it leaves time to show it and to answer.
func tryUntil(ctx context.Context) time.Time {
	until := time.Now().Add(recordFor)
	if end, ok := ctx.Deadline(); ok && end.Add(-2*projection.Wait).Before(until) {
		return end.Add(-2 * projection.Wait)
	}
	return until
}

func failAll(tasks []*task, err error) {
	for _, t := range tasks {
		t.fail(err)
	}
}

// userLocks keep reports of one user in this process apart, so that conflicts come from other processes
// only. They save work; correctness does not depend on them.
type userLocks struct {
	mu   sync.Mutex
	busy map[string]chan struct{} // by user; closed when the user is free again
}

// with locks the free users, runs work on their tasks, and returns the rest. If none is free it waits for the first; a
// task whose user is not free when the context ends fails.
func (l *userLocks) with(
	ctx context.Context, waiting []*task, work func(free []*task) error,
) (rest []*task, err error) {
	free, rest, busy := l.lock(waiting)
	for len(free) == 0 {
		select {
		case <-busy:
			free, rest, busy = l.lock(waiting)
		case <-ctx.Done():
			failAll(waiting, fmt.Errorf("%w: wait for the user's lock: %w", items.ErrBusy, ctx.Err()))
			return nil, nil
		}
	}
	defer func() { // also after a panic, which a server survives
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, t := range free {
			close(l.busy[t.locked])
			delete(l.busy, t.locked)
		}
	}()
	return rest, work(free)
}

// lock locks the free users, and returns their tasks and the rest. A channel tells when the first user is free.
func (l *userLocks) lock(waiting []*task) (free, rest []*task, first <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first = l.busy[waiting[0].user]
	for _, t := range waiting {
		if l.busy[t.user] == nil {
			l.busy[t.user], t.locked = make(chan struct{}), t.user
			free = append(free, t)
		} else {
			rest = append(rest, t)
		}
	}
	return free, rest, first
}
