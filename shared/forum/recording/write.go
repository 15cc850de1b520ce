package recording

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// togetherAtOnce is how many users' several items are written side by side.
const togetherAtOnce = 16

// write writes the changes of tasks, each on the revisions that were read, and returns the tasks that have to read
// again. All items of a user are written or none, so that a user who is excluded meanwhile has nothing on a follow list
// that the ledger lacks. An import is excepted: its lists merge again.
func (b *batch) write(ctx context.Context, tasks []*task) (again []*task) {
	ctx, cancel := context.WithTimeout(ctx, b.r.within-b.r.real().Sub(b.began))
	defer cancel()
	var all []items.Change
	var on []*task
	late := b.late()
	for _, t := range tasks {
		if t.again = late; t.again {
			continue
		}
		t.together, t.apart = slices.Concat(t.lists, t.record), t.account.Changes(t.decided)
		if !b.quiet && len(t.together)+len(t.apart) > 1 { // else the ledgers of years may be too large for that
			t.together, t.apart = slices.Concat(t.together, t.apart), nil
		}
		all, on = append(append(all, t.together...), t.apart...), append(on, t)
	}
	if err := b.r.items.Announce(ctx, all...); err != nil {
		failAll(on, err)
	}
	b.putTogether(ctx, tasks)
	b.put(ctx, tasks)
	return slices.DeleteFunc(tasks, func(t *task) bool { return !t.again || t.err != nil })
}

// late reports whether the read is too old for a write. A task that was written does not read again: it would
// take its own activities for duplicates.
func (b *batch) late() bool { return b.r.real().Sub(b.began) >= b.r.within }

// put writes the changes of all tasks that are written apart.
func (b *batch) put(ctx context.Context, tasks []*task) {
	changes, owners, late := make([]items.Change, 0, len(tasks)), make([]*task, 0, len(tasks)), b.late()
	for _, t := range tasks {
		if t.again || t.err != nil {
			continue
		}
		if t.again = late && len(t.apart) > 0; t.again {
			continue
		}
		for _, c := range t.apart {
			changes, owners = append(changes, c), append(owners, t)
		}
	}
	for i, written := range b.r.items.Write(ctx, changes...) {
		switch t := owners[i]; {
		case errors.Is(written.Err, table.ErrConflict):
			t.again = true
		case written.Err != nil:
			b.unknown(t, written.Err)
		default:
			t.wrote(changes[i], written.Revision)
		}
	}
}

// putTogether writes the changes that belong together, all or none of each user.
func (b *batch) putTogether(ctx context.Context, tasks []*task) {
	var all errgroup.Group
	all.SetLimit(togetherAtOnce)
	for _, t := range tasks {
		if t.again || t.err != nil || len(t.together) == 0 {
			continue
		}
		all.Go(func() error {
			if t.again = b.late(); t.again {
				return nil
			}
			written, err := b.r.items.Together(ctx, t.together...)
			switch {
			case errors.Is(err, table.ErrConflict):
				t.again = true
			case err != nil:
				b.unknown(t, err)
			}
			for n, row := range written {
				t.wrote(t.together[n], row.Revision)
			}
			return nil
		})
	}
	_ = all.Wait() // each task has its error
}

// unknown fails a task whose write may have been applied: then the view lacks it.
func (b *batch) unknown(t *task, err error) {
	t.fail(err)
	b.r.projector.Lacks()
}

// wrote notes a write that was applied.
func (t *task) wrote(c items.Change, revision int64) {
	switch {
	case c.Person != nil:
		t.person = items.Row[*items.Person]{Value: c.Person.Value, Revision: revision}
	case c.Ledger != nil:
		t.revisions(c.Ledger.Key.Month).now = revision
	}
}
