package records

import (
	"context"
	"iter"

	"laurel/shared/table"
)

// pageLen is how many items one read of a pass asks for; DynamoDB answers with a megabyte at
// most.
const pageLen = 2_500

// items goes over the items of a partition in the order of sort keys. An error is the last that it
// yields.
func (s *Store) items(ctx context.Context, partition, after string) iter.Seq2[table.Item, error] {
	return func(yield func(table.Item, error) bool) {
		for {
			items, err := s.table.Ascend(ctx, partition, after, afterAll, pageLen)
			if err != nil {
				yield(table.Item{}, wrap("list", err))
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if len(items) < pageLen {
				return
			}
			after = items[len(items)-1].Sort
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
