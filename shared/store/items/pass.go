package items

import (
	"cmp"
	"context"
	"iter"

	"laurel/shared/core/article"
	"laurel/shared/store/table"
)

// A Keyed is the row of a person in a pass.
type Keyed[T any] struct {
	Key Key
	Row[T]
}

// People goes over the people of a bucket, in the order of keys' texts. Reads are strongly consistent, a page at
// a time. The second value ends the pass.
func (s *Store) People(ctx context.Context, bucket int) iter.Seq2[Keyed[*Person], error] {
	return rows(ctx, s, decodePerson, keyed, people(bucket))
}

// Everybody goes over the people of all buckets.
func (s *Store) Everybody(ctx context.Context) iter.Seq2[Keyed[*Person], error] {
	return rows(ctx, s, decodePerson, keyed, everywhere(people)...)
}

// Erasures goes over all erasures.
func (s *Store) Erasures(ctx context.Context) iter.Seq2[Keyed[*Erasure], error] {
	return rows(ctx, s, decodeJSON[Erasure], keyed, everywhere(erasures)...)
}

// Merges goes over all merges of people into others.
func (s *Store) Merges(ctx context.Context) iter.Seq2[Keyed[*Merge], error] {
	return rows(ctx, s, decodeJSON[Merge], keyed, everywhere(merges)...)
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

func articleRow(item table.Item, row Row[*article.Page]) ArticleRow {
	return ArticleRow{item.Sort, row}
}

// Articles goes over the articles of a bucket, by id.
func (s *Store) Articles(ctx context.Context, bucket int) iter.Seq2[ArticleRow, error] {
	return rows(ctx, s, decodeArticle, articleRow, articles(bucket))
}

// AllArticles goes over the articles of all buckets.
func (s *Store) AllArticles(ctx context.Context) iter.Seq2[ArticleRow, error] {
	return rows(ctx, s, decodeArticle, articleRow, everywhere(articles)...)
}

// Voids goes over the void targets.
func (s *Store) Voids(ctx context.Context) iter.Seq2[Row[*Void], error] {
	return rows(ctx, s, decodeVoid, func(_ table.Item, row Row[*Void]) Row[*Void] { return row }, partVoid)
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
	return ascend(s.table.Ascend).walk(ctx, partition)
}

// An ascend is a Table's Ascend, or its AscendEventually.
type ascend func(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error)

func (read ascend) walk(ctx context.Context, partition string) *walk {
	w := &walk{read: func(after string) ([]table.Item, error) {
		items, err := read(ctx, partition, after, afterAll, pageLen)
		return items, wrap("list", err)
	}}
	w.page("")
	return w
}

func (w *walk) page(after string) {
	w.items, w.err = w.read(after)
	w.full = len(w.items) == pageLen
}

// take moves the walk to the item after the next.
func (w *walk) take() {
	last := w.items[0].Sort
	if w.items = w.items[1:]; len(w.items) == 0 && w.full {
		w.page(last)
	}
}

// everywhere returns the partitions of all buckets.
func everywhere(partition func(bucket int) string) []string {
	all := make([]string, Buckets)
	for bucket := range all {
		all[bucket] = partition(bucket)
	}
	return all
}

// rows goes over partitions, with each item read. An error is the last that it yields.
func rows[T, R any](
	ctx context.Context, s *Store, decode func(table.Key, []byte) (T, error), made func(table.Item, Row[T]) R,
	partitions ...string,
) iter.Seq2[R, error] {
	row := rowBy(decode)
	return func(yield func(R, error) bool) {
		for _, partition := range partitions {
			w := s.walk(ctx, partition)
			for ; len(w.items) > 0; w.take() {
				if !yield(made(w.items[0], row(w.items[0])), nil) {
					return
				}
			}
			if w.err != nil {
				var none R
				yield(none, w.err)
				return
			}
		}
	}
}
