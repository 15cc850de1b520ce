package record

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/records"
	"laurel/shared/table"
)

// togetherAtOnce is how many users' several items are written side by side.
const togetherAtOnce = 16

// write writes what tasks have decided, each on the revisions that were read, and returns those
// that have to read again. All items of a user are written or none: who is excluded meanwhile has
// nothing on a follow list that the ledger lacks.
func (b *batch) write(ctx context.Context, tasks []*task) (again []*task) {
	ctx, cancel := context.WithTimeout(ctx, b.within-b.real().Sub(b.began))
	defer cancel()
	w := &writing{batch: b, on: tasks}
	w.drop(func(t *task) bool { return t.account == nil })
	if w.late(w.on) {
		return w.again
	}
	all := make([]records.Change, 0, len(w.on))
	for _, t := range w.on {
		t.writes = slices.Concat(t.personChange(), t.parts, t.ledgerChanges())
		all = append(all, t.writes...)
	}
	if err := b.records.Announce(ctx, all...); err != nil {
		failAll(w.on, err)
		return w.again
	}
	if b.quiet { // the ledgers of years may be too large to go together; lists merge again
		for _, of := range []func(*task) []records.Change{(*task).personChange, (*task).partChanges, (*task).ledgerChanges} {
			w.put(ctx, of)
		}
		return w.again
	}
	w.putTogether(ctx)
	w.put(ctx, func(t *task) []records.Change {
		if t.several() {
			return nil
		}
		return t.writes
	})
	return w.again
}

// A writing is one attempt to write what tasks have decided.
type writing struct {
	*batch
	on, again []*task
}

// drop takes tasks that have to read again, and those that have failed, out of those that go on.
func (w *writing) drop(stale func(*task) bool) {
	w.on = slices.DeleteFunc(slices.Clone(w.on), func(t *task) bool {
		if t.err == nil && !stale(t) {
			return false
		}
		if t.err == nil {
			w.again = append(w.again, t)
		}
		return true
	})
}

// late says whether what was read is too old to be written on; then these tasks read again. Others
// may have been written: they would take what they have done for a duplicate.
func (w *writing) late(tasks []*task) bool {
	if w.real().Sub(w.began) < w.within {
		return false
	}
	w.drop(func(t *task) bool { return slices.Contains(tasks, t) })
	return true
}

// put writes the changes of all tasks, each by itself.
func (w *writing) put(ctx context.Context, of func(*task) []records.Change) {
	var changes []records.Change
	var from []*task
	for _, t := range w.on {
		all := of(t)
		if changes == nil && len(all) > 0 {
			changes, from = make([]records.Change, 0, len(w.on)), make([]*task, 0, len(w.on))
		}
		for _, c := range all {
			changes, from = append(changes, c), append(from, t)
		}
	}
	if len(changes) == 0 || w.late(from) {
		return
	}
	lost := map[*task]bool{}
	for i, written := range w.records.Write(ctx, changes...) {
		switch t := from[i]; {
		case errors.Is(written.Err, table.ErrConflict):
			lost[t] = true
		case written.Err != nil:
			w.unknown(t, written.Err)
		default:
			t.wrote(changes[i], written.Revision)
		}
	}
	w.drop(func(t *task) bool { return lost[t] })
}

// putTogether writes the items of users who have several, of each all or none.
func (w *writing) putTogether(ctx context.Context) {
	several := slices.DeleteFunc(slices.Clone(w.on), func(t *task) bool { return !t.several() })
	if len(several) == 0 || w.late(several) {
		return
	}
	lost := make([]bool, len(several))
	var all errgroup.Group
	all.SetLimit(togetherAtOnce)
	for i, t := range several {
		all.Go(func() error {
			written, err := w.records.Together(ctx, t.writes...)
			switch {
			case errors.Is(err, table.ErrConflict):
				lost[i] = true
			case err != nil:
				w.unknown(t, err)
			}
			for n, row := range written {
				t.wrote(t.writes[n], row.Revision)
			}
			return nil
		})
	}
	_ = all.Wait() // each task has its error
	w.drop(func(t *task) bool { i := slices.Index(several, t); return i >= 0 && lost[i] })
}

// unknown fails a task whose write may have been applied: then the view lacks it.
func (w *writing) unknown(t *task, err error) {
	t.fail(err)
	w.says.wanted.Add(1)
}

// wrote notes a write that was applied.
func (t *task) wrote(c records.Change, revision int64) {
	switch {
	case c.Person != nil:
		t.person = records.Row[*records.Person]{Value: c.Person.Value, Revision: revision}
	case c.Ledger != nil:
		t.revisions(c.Ledger.Key.Month).now = revision
	}
}

// several says whether a task may write more than one item.
func (t *task) several() bool { return len(t.parts) > 0 || len(t.decided.Changed) > 1 }

// partChanges are the writes of the parts of the follow list that differ.
func (t *task) partChanges() []records.Change { return t.parts }

// ledgerChanges are the writes of the ledgers that differ.
func (t *task) ledgerChanges() []records.Change {
	changes := make([]records.Change, len(t.decided.Changed))
	for i, m := range t.decided.Changed {
		of := records.LedgerKey{Person: t.key, Month: m}
		changes[i] = records.Change{
			Was: t.revisions(m).was, Ledger: &records.LedgerChange{Key: of, Value: t.decided.Account.Months[m]},
		}
	}
	return changes
}
