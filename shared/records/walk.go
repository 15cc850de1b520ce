package records

import (
	"context"
	"iter"

	"laurel/shared/table"
)

// pageLen is how many items one read of a pass asks for; DynamoDB answers with a megabyte at
// most.
const pageLen = 2_500

// A walk reads a partition in the order of sort keys, one page ahead of who takes items.
type walk struct {
	pages chan page
	items []table.Item // of the page that is taken, those left
	err   error
}

type page struct {
	items []table.Item
	err   error
	last  bool
}

// walk begins one. Its context has to end, and stop be called then.
func (s *Store) walk(ctx context.Context, partition, after string) *walk {
	w := &walk{pages: make(chan page)}
	go func() {
		defer close(w.pages)
		for {
			items, err := s.table.Ascend(ctx, partition, after, afterAll, pageLen)
			p := page{items, err, err != nil || len(items) < pageLen}
			if w.pages <- p; p.last {
				return
			}
			after = items[len(items)-1].Sort
		}
	}()
	return w
}

// peek returns the next item; false at the end, or after an error.
func (w *walk) peek() (table.Item, bool) {
	for len(w.items) == 0 && w.err == nil && w.pages != nil {
		p := <-w.pages
		if w.items, w.err = p.items, wrap("list", p.err); p.last {
			w.stop()
		}
	}
	if len(w.items) == 0 || w.err != nil {
		return table.Item{}, false
	}
	return w.items[0], true
}

// take leaves the item that peek returned.
func (w *walk) take() { w.items = w.items[1:] }

// stop waits until nothing is read any more: the context of the walk has ended, or its pages.
func (w *walk) stop() {
	if w.pages != nil {
		for range w.pages { // what is read ahead is dropped
		}
		w.pages = nil
	}
}

// items goes over the items of a partition. An error is the last that it yields.
func (s *Store) items(ctx context.Context, partition, after string) iter.Seq2[table.Item, error] {
	return func(yield func(table.Item, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		w := s.walk(ctx, partition, after)
		defer w.stop()
		defer cancel()
		for item, ok := w.peek(); ok; item, ok = w.peek() {
			if w.take(); !yield(item, nil) {
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
	decode func(table.Key, []byte) (T, error), made func(table.Item, Row[T], error) R,
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for item, err := range s.items(ctx, partition, after) {
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			row, err := rowOf(item, decode)
			if !yield(made(item, row, err), nil) {
				return
			}
		}
	}
}
