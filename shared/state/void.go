package state

import (
	"context"

	"laurel/shared/table"
)

const voids = "VOIDS"

// ChangeVoid replaces the text of a target's void, "" for none, by what change makes of
// it; known is false if there has been none for a while. change may be called more than
// once.
func (s *Store) ChangeVoid(ctx context.Context, target string,
	change func(text string, known bool) (string, error),
) error {
	return s.change(ctx, table.Key{Partition: voids, Sort: target}, 0, texts(change))
}

// Void returns the text of a target's void, "" for none.
func (s *Store) Void(ctx context.Context, target string) (string, error) {
	data, err := s.get(ctx, table.Key{Partition: voids, Sort: target})
	return string(data), err
}

// EachVoid calls do with every target that has a void, in their order, and its text.
func (s *Store) EachVoid(ctx context.Context, do func(target, text string) error) error {
	for item, err := range s.items(ctx, voids) {
		if err != nil {
			return err
		}
		if err := do(item.Sort, string(item.Data)); err != nil {
			return err
		}
	}
	return nil
}
