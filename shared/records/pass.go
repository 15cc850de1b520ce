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
	Row Row[*Person]
	Err error
}

// People goes over the people of a bucket whose keys are after one, in the order of keys'
// texts; the zero Key, which nobody has, is the beginning. Reads are strongly consistent, a
// page at a time. The second value ends the pass, Err is of a damaged item alone.
func (s *Store) People(ctx context.Context, bucket int, after Key) iter.Seq2[PersonRow, error] {
	return rows(ctx, s, people(bucket), after.after(), decodePerson,
		func(item table.Item, row Row[*Person], err error) PersonRow {
			key, bad := ParseKey(item.Sort)
			return PersonRow{key, row, cmp.Or(err, bad)}
		})
}

// An ArticleRow is an article of a pass.
type ArticleRow struct {
	ID  string
	Row Row[*Article]
	Err error
}

// Articles goes over the articles of a bucket, by id, after one.
func (s *Store) Articles(ctx context.Context, bucket int, after string) iter.Seq2[ArticleRow, error] {
	return rows(ctx, s, articles(bucket), after, decodeArticle,
		func(item table.Item, row Row[*Article], err error) ArticleRow { return ArticleRow{item.Sort, row, err} })
}

// Voids goes over the void targets. A damaged one is an error, after which the others follow.
func (s *Store) Voids(ctx context.Context) iter.Seq2[Row[*Void], error] {
	return func(yield func(Row[*Void], error) bool) {
		for item, err := range s.items(ctx, partVoid, "") {
			var row Row[*Void]
			if err == nil {
				row, err = rowOf(item, decodeVoid)
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

// ErasureRow is an erasure of a pass.
type ErasureRow struct {
	Key Key
	Row Row[*Erasure]
}

// Erasures goes over the erasures of a bucket. A damaged one is an error, after which the
// others follow.
func (s *Store) Erasures(ctx context.Context, bucket int) iter.Seq2[ErasureRow, error] {
	return func(yield func(ErasureRow, error) bool) {
		for item, err := range s.items(ctx, erasures(bucket), "") {
			var found ErasureRow
			if err == nil {
				if found.Row, err = rowOf(item, decodeErasure); err == nil {
					found.Key, err = ParseKey(item.Sort)
				}
			}
			if !yield(found, err) {
				return
			}
		}
	}
}
