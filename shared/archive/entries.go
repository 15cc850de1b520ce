package archive

import (
	"context"
	"fmt"
	"iter"

	"laurel/shared/board"
)

// Entries returns all entries of a final board in order, reading page by page. It ends
// with the first error, which wraps ErrChanged if the board's copy was replaced meanwhile.
func (a *Archive) Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error] {
	return func(yield func(board.Entry, error) bool) {
		m, err := a.Manifest(ctx, name, p)
		if err != nil {
			yield(board.Entry{}, err)
			return
		}
		for offset := int64(0); offset < m.Total; offset += PageLen {
			r := a.reading(board.View{Board: name, Period: p, Offset: offset, Limit: PageLen}, m.Copy)
			var places []board.Place
			if err = r.fetch(ctx); err == nil && r.manifest.Copy != m.Copy {
				err = fmt.Errorf("%w: its copy was replaced", ErrChanged)
			}
			if err == nil {
				places, err = r.places(offset, PageLen)
			}
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

// sweepLen is the number of items that one read of a sweep returns: a megabyte.
const sweepLen = 25

// sweep reads the items of a partition and deletes those for which keep returns false.
func (a *Archive) sweep(ctx context.Context, part string, keep func(Item) (bool, error)) error {
	for below := afterAll; ; {
		items, err := a.list(ctx, part, below, sweepLen)
		if err != nil || len(items) == 0 {
			return err
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
