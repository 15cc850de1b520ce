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
