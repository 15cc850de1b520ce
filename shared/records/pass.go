package records

import (
	"cmp"
	"context"
	"iter"

	"laurel/shared/table"
)

// A PersonRow is a person's item of a pass.
type PersonRow struct {
	Key Key
	Row[*Person]
}

// People goes over the people of a bucket whose keys are after one, in the order of keys'
// texts; the zero Key, which nobody has, is the beginning. Reads are strongly consistent, a
// page at a time. The second value ends the pass.
func (s *Store) People(ctx context.Context, bucket int, after Key) iter.Seq2[PersonRow, error] {
	return rows(ctx, s, people(bucket), after.after(), decodePerson,
		func(item table.Item, row Row[*Person]) PersonRow {
			key, bad := ParseKey(item.Sort)
			row.Err = cmp.Or(row.Err, bad)
			return PersonRow{key, row}
		})
}

// An ArticleRow is an article of a pass.
type ArticleRow struct {
	ID string
	Row[*Article]
}

// Articles goes over the articles of a bucket, by id, after one.
func (s *Store) Articles(ctx context.Context, bucket int, after string) iter.Seq2[ArticleRow, error] {
	return rows(ctx, s, articles(bucket), after, decodeArticle,
		func(item table.Item, row Row[*Article]) ArticleRow { return ArticleRow{item.Sort, row} })
}

// Voids goes over the void targets.
func (s *Store) Voids(ctx context.Context) iter.Seq2[Row[*Void], error] {
	return rows(ctx, s, partVoid, "", decodeVoid, func(_ table.Item, row Row[*Void]) Row[*Void] { return row })
}

// ErasureRow is an erasure of a pass.
type ErasureRow struct {
	Key Key
	Row[*Erasure]
}

// Erasures goes over the erasures of a bucket.
func (s *Store) Erasures(ctx context.Context, bucket int) iter.Seq2[ErasureRow, error] {
	return rows(ctx, s, erasures(bucket), "", decodeErasure, func(item table.Item, row Row[*Erasure]) ErasureRow {
		key, bad := ParseKey(item.Sort)
		row.Err = cmp.Or(row.Err, bad)
		return ErasureRow{key, row}
	})
}

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
