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
	return a.sweep(ctx, partition(name, p), func(Item) (bool, error) { return false, nil })
}

// sweepLen is how many items one read of a sweep takes: a megabyte.
const sweepLen = 25

// sweep reads the items of a partition and deletes those that are not to keep.
func (a *Archive) sweep(ctx context.Context, part string, keep func(Item) (bool, error)) error {
	for below := "\U0010FFFF"; ; {
		items, err := a.store.Descend(ctx, part, below, sweepLen)
		if err != nil {
			return fmt.Errorf("archive: read all of %s: %w", part, err)
		}
		if len(items) == 0 {
			return nil
		}
		var others []Key
		for _, item := range items {
			below = item.Sort
			switch kept, err := keep(item); {
			case err != nil:
				return err
			case !kept:
				others = append(others, item.Key)
			}
		}
		if len(others) == 0 {
			continue
		}
		if err := a.store.Delete(ctx, others...); err != nil {
			return fmt.Errorf("archive: remove from %s: %w", part, err)
		}
	}
}
