package archive

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"laurel/shared/board"
)

func ignoreNotFinal(err error) error {
	if errors.Is(err, ErrNotFinal) {
		return nil
	}
	return err
}

// Entries goes over a whole final board in its order, a page a read. It ends
// with the first error.
func (a *Archive) Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error] {
	return func(yield func(board.Entry, error) bool) {
		m, err := a.Manifest(ctx, name, p)
		if err != nil {
			yield(board.Entry{}, err)
			return
		}
		for offset := int64(0); offset < m.Total; offset += PageLen {
			r := reading{archive: a, view: board.View{Board: name, Period: p, Offset: offset, Limit: PageLen}, pages: map[int64][]board.Entry{}}
			if err := r.fetch(ctx); err != nil {
				yield(board.Entry{}, err)
				return
			}
			places, err := r.places(offset, PageLen)
			if err != nil {
				yield(board.Entry{}, err)
				return
			}
			for _, place := range places {
				if !yield(place.Entry, nil) {
					return
				}
			}
		}
	}
}

// Remove takes a period out of the archive: the manifest first, so that it is
// final whole or not at all, then everything else. It may be done again.
func (a *Archive) Remove(ctx context.Context, name string, p board.Period) error {
	head := manifestKey(name, p)
	if err := a.store.Delete(ctx, head); err != nil {
		return fmt.Errorf("archive: remove %s: %w", head, err)
	}
	part := partition(name, p)
	for {
		items, err := a.store.Descend(ctx, part, "\U0010FFFF", 25)
		if err != nil {
			return fmt.Errorf("archive: remove %s: %w", part, err)
		}
		if len(items) == 0 {
			return nil
		}
		keys := make([]Key, len(items))
		for i, item := range items {
			keys[i] = item.Key
		}
		if err := a.store.Delete(ctx, keys...); err != nil {
			return fmt.Errorf("archive: remove %s: %w", part, err)
		}
	}
}
