package records

import (
	"cmp"
	"context"
	"iter"
	"time"

	"laurel/shared/article"
	"laurel/shared/table"
)

// A Keyed is the row of a person in a pass.
type Keyed[T any] struct {
	Key Key
	Row[T]
}

// People goes over the people of a bucket, in the order of keys' texts. Reads are strongly consistent, a page at
// a time. The second value ends the pass.
func (s *Store) People(ctx context.Context, bucket int) iter.Seq2[Keyed[*Person], error] {
	return rows(ctx, s, people(bucket), decodePerson, keyed)
}

// Erasures goes over the erasures of a bucket.
func (s *Store) Erasures(ctx context.Context, bucket int) iter.Seq2[Keyed[*Erasure], error] {
	return rows(ctx, s, erasures(bucket), decodeErasure, keyed)
}

func keyed[T any](item table.Item, row Row[T]) Keyed[T] {
	key, bad := ParseKey(item.Sort)
	row.Err = cmp.Or(row.Err, bad)
	return Keyed[T]{key, row}
}

// An ArticleRow is an article of a pass.
type ArticleRow struct {
	ID string
	Row[*article.Page]
}

// Articles goes over the articles of a bucket, by id.
func (s *Store) Articles(ctx context.Context, bucket int) iter.Seq2[ArticleRow, error] {
	return rows(ctx, s, articles(bucket), decodeArticle,
		func(item table.Item, row Row[*article.Page]) ArticleRow { return ArticleRow{item.Sort, row} })
}

// Voids goes over the void targets.
func (s *Store) Voids(ctx context.Context) iter.Seq2[Row[*Void], error] {
	return rows(ctx, s, partVoid, decodeVoid, func(_ table.Item, row Row[*Void]) Row[*Void] { return row })
}

// pageLen is how many items one read of a pass asks for; DynamoDB answers with a megabyte at most.
const pageLen = 2_500

// A walk goes over the items of a partition in the order of sort keys, for one who looks at the next before taking it.
type walk struct {
	read  func(after string) ([]table.Item, error)
	items []table.Item // those left of a page, the next one first; none: the end, or an error
	full  bool         // the page was
	err   error
}

func (s *Store) walk(ctx context.Context, partition string) *walk {
	w := &walk{read: func(after string) ([]table.Item, error) {
		items, err := s.table.Ascend(ctx, partition, after, afterAll, pageLen)
		return items, wrap("list", err)
	}}
	w.page("")
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

// rows goes over a partition, with each item read. An error is the last that it yields.
func rows[T, R any](
	ctx context.Context, s *Store, partition string,
	decode func(table.Key, []byte) (T, error), made func(table.Item, Row[T]) R,
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		w := s.walk(ctx, partition)
		for ; len(w.items) > 0; w.take() {
			if !yield(made(w.items[0], rowOf(w.items[0], decode)), nil) {
				return
			}
		}
		if w.err != nil {
			var none R
			yield(none, w.err)
		}
	}
}

// SaveTime is what a call keeps of its time to save how far it is.
const SaveTime = 2 * time.Second

// ThroughBuckets calls do for each bucket from one on, as far as a call's time goes, and returns the first that it was
// not done for, which is to be saved also with an error. One is done at least, if that takes all the time.
func ThroughBuckets(ctx context.Context, from int, do func(context.Context, int) error) (next int, err error) {
	within := ctx
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, deadline.Add(-SaveTime))
		defer cancel()
	}
	for next = from; next < Buckets && err == nil; {
		in := within
		if next == from {
			in = ctx
		}
		if err = do(in, next); err == nil {
			next++
		}
	}
	if next > from && within.Err() != nil {
		err = nil // the time was over within a bucket
	}
	return next, err
}
