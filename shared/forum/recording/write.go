package recording

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/store/items"
	"laurel/shared/store/table"
	"laurel/shared/store/view"
)

// write writes the changes of tasks, each on the revisions that were read, and returns the tasks that have to read
// again. All items of a user are written or none, so that a user who is excluded meanwhile has nothing on a follow list
// that the ledger lacks. An import is excepted: its lists merge again.
func (b *batch) write(ctx context.Context, tasks []*task) (again []*task) {
	ctx, cancel := context.WithTimeout(ctx, b.r.within-b.r.real().Sub(b.began))
	defer cancel()
	all := make([]items.Saving, len(tasks))
	for i, t := range tasks {
		s := &all[i]
		s.Together, s.Apart = slices.Concat(t.lists, t.record), t.outcome.Changes(t.outcome.Decided)
		if !b.quiet && len(s.Together)+len(s.Apart) > 1 { // else the ledgers of years may be too large for that
			s.Together, s.Apart = slices.Concat(s.Together, s.Apart), nil
		}
	}
	// A task that was written does not read again: it would take its own activities for duplicates.
	late := func() bool { return b.r.real().Sub(b.began) >= b.r.within }
	if err := b.r.items.Save(ctx, late, all); err != nil {
		failAll(tasks, err)
		return nil
	}
	for i, t := range tasks {
		t.wrote(&all[i])
		switch err := all[i].Err; {
		case errors.Is(err, table.ErrConflict):
			again = append(again, t)
		case err != nil: // it may have been applied: then the view lacks it
			t.fail(err)
			b.r.projector.Lacks()
		}
	}
	return again
}

// wrote notes the writes that were made.
func (t *task) wrote(saved *items.Saving) {
	for i, written := range saved.Written {
		var c items.Change
		if n := len(saved.Together); i < n {
			c = saved.Together[i]
		} else {
			c = saved.Apart[i-n]
		}
		switch {
		case written.Err != nil:
		case c.Person != nil:
			t.outcome.Person = items.Row[*items.Person]{Value: c.Person.Value, Revision: written.Revision}
		case c.Ledger != nil:
			revision := view.MonthRevision{Month: c.Ledger.Key.Month, Revision: written.Revision}
			t.outcome.Written = append(t.outcome.Written, revision)
		}
	}
}
