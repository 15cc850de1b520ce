package archive

import (
	"context"
	"fmt"
	"iter"

	"laurel/shared/board"
)

// Reopen notes in the manifest that a final period is to be live again: its copy stays and
// is read until Write replaces it. Each time it is called, Write's next copy is another one,
// so that what an earlier run still writes is not mixed with it; what that has left is
// deleted. The error wraps ErrNotFinal if the period is not final, and ErrExists if the
// manifest has changed meanwhile: call it again.
func (a *Archive) Reopen(ctx context.Context, name string, p board.Period) error {
	w := &writer{Archive: a, name: name, period: p}
	m, err := w.begin(ctx)
	if err != nil {
		return err
	}
	if m.Next > 0 {
		if err := w.delete(ctx, m.Next); err != nil {
			return err
		}
	}
	m.Next = max(m.Copy, m.Next) + 1
	w.expires = w.former.Expires
	return w.commit(ctx, m)
}

// begin reads the manifest.
func (w *writer) begin(ctx context.Context) (Manifest, error) {
	key := manifestKey(w.name, w.period)
	items, err := read(ctx, w.store, key)
	if err != nil {
		return Manifest{}, err
	}
	m, err := manifestOf(key, items)
	if err == nil {
		w.former = items[0]
	}
	return m, err
}

// replace writes the successor of a copy, unless the board is the same.
func (w *writer) replace(ctx context.Context, m Manifest) (Report, error) {
	same, err := w.same(ctx, m)
	if err != nil {
		return Report{}, err
	}
	before := m.Next
	if same {
		m.Next, w.expires = 0, w.former.Expires
		w.report = Report{Entries: m.Total, Pages: m.Pages(), Indexes: m.Indexes}
		if err := w.delete(ctx, before); err != nil { // of an interrupted run
			return Report{}, err
		}
		before, err = m.Copy, w.commit(ctx, m)
	} else {
		w.copied = m.Next
		err = w.write(ctx)
	}
	if err == nil {
		err = w.deleteBefore(ctx, before)
	}
	return w.report, err
}

// same says whether the board has the entries of the copy, which nobody was erased from.
func (w *writer) same(ctx context.Context, m Manifest) (bool, error) {
	if m.Total != w.source.Total || m.Erased > 0 {
		return false, nil
	}
	next, stop := iter.Pull2(w.Entries(ctx, w.name, w.period))
	defer stop()
	n := int64(0)
	for e, err := range w.source.Entries(ctx) {
		if err != nil {
			return false, err
		}
		final, err, ok := next()
		if err != nil || !ok || final != e {
			return false, err
		}
		n++
	}
	return n == m.Total, nil
}

// deleteBefore deletes the copies before one.
func (w *writer) deleteBefore(ctx context.Context, copied int64) error {
	for n := range copied {
		if err := w.delete(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) delete(ctx context.Context, copied int64) error {
	err := w.sweep(ctx, partition(w.name, w.period, copied), func(Item) (bool, error) { return false, nil })
	if err != nil {
		return fmt.Errorf("archive: delete a former copy: %w", err)
	}
	return nil
}
