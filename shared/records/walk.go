package records

import (
	"context"
	"iter"

	"laurel/shared/table"
)

// pageLen is how many items one read of a pass asks for; DynamoDB answers with a megabyte at
// most.
const pageLen = 2_500

// A walk goes over the items of a partition in the order of sort keys, for one who looks at the next
// before taking it.
type walk struct {
	read  func(after string) ([]table.Item, error)
	items []table.Item // those left of a page, the next one first; none: the end, or an error
	full  bool         // the page was
	err   error
}

func (s *Store) walk(ctx context.Context, partition, after string) *walk {
	w := &walk{read: func(after string) ([]table.Item, error) {
		items, err := s.table.Ascend(ctx, partition, after, afterAll, pageLen)
		return items, wrap("list", err)
	}}
	w.page(after)
	return w
}

func (w *walk) page(after string) {
	w.items, w.err = w.read(after)
	w.full = len(w.items) == pageLen
}

// take goes on to the item after the next.
func (w *walk) take() {
	last := w.items[0].Sort
	if w.items = w.items[1:]; len(w.items) == 0 && w.full {
		w.page(last)
	}
}

// items goes over the items of a partition. An error is the last that it yields.
func (s *Store) items(ctx context.Context, partition, after string) iter.Seq2[table.Item, error] {
	return func(yield func(table.Item, error) bool) {
		w := s.walk(ctx, partition, after)
		for ; len(w.items) > 0; w.take() {
			if !yield(w.items[0], nil) {
				return
			}
		}
		if w.err != nil {
			yield(table.Item{}, w.err)
		}
	}
}

// rows goes over a partition, with each item read.
func rows[T, R any](
	ctx context.Context, s *Store, partition, after string,
	decode func(table.Key, []byte) (T, error), made func(table.Item, Row[T]) R,
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range s.items(ctx, partition, after) {
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if !yield(made(item, rowOf(item, decode)), nil) {
				return
			}
		}
	}
}
