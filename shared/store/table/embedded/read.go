package embedded

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"laurel/shared/store/table"
)

// GetEventually is Get.
func (s *Store) GetEventually(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	return s.Get(ctx, keys...)
}

// Get reads items by their keys, at most 100.
func (s *Store) Get(ctx context.Context, keys ...table.Key) ([]table.Item, error) {
	if err := table.Readable(keys); err != nil {
		return nil, err
	}
	found := make([]table.Item, 0, len(keys))
	err := s.view(ctx, "get", func(in items) {
		now := s.now().Unix()
		for _, key := range keys {
			if item, exists := in.load(key); exists && !item.Gone(now) {
				found = append(found, copied(item))
			}
		}
	})
	return found, err
}

// Descend reads the items of a partition in descending order.
func (s *Store) Descend(ctx context.Context, partition, below string, limit int) ([]table.Item, error) {
	_, ok, err := table.Between(partition, "", below, limit)
	if !ok || err != nil {
		return []table.Item{}, err
	}
	return s.collect(ctx, "descend", table.Key{Partition: partition, Sort: below}, false, "", limit)
}

// Ascend reads the items of a partition in ascending order.
func (s *Store) Ascend(ctx context.Context, partition, after, last string, limit int) ([]table.Item, error) {
	first, ok, err := table.Between(partition, after, last, limit)
	if !ok || err != nil {
		return []table.Item{}, err
	}
	return s.collect(ctx, "ascend", first, true, last, limit)
}

// AscendEventually is Ascend.
func (s *Store) AscendEventually(
	ctx context.Context, partition, after, last string, limit int,
) ([]table.Item, error) {
	return s.Ascend(ctx, partition, after, last, limit)
}

// collect returns the first items of a walk that have not expired; one that goes up ends at a last sort key.
func (s *Store) collect(
	ctx context.Context, operation string, start table.Key, up bool, last string, limit int,
) ([]table.Item, error) {
	found := []table.Item{}
	err := s.view(ctx, operation, func(in items) {
		for item := range in.walk(start, up) {
			if up && item.Sort > last {
				break
			}
			if !item.Gone(s.now().Unix()) {
				found = append(found, copied(item))
			}
			if len(found) == limit {
				break
			}
		}
	})
	return found, err
}

func (s *Store) view(ctx context.Context, operation string, read func(in items)) error {
	err := ctx.Err()
	switch {
	case err != nil:
	case s.db == nil:
		s.mu.Lock()
		defer s.mu.Unlock()
		read(s.memory)
	default:
		err = s.db.View(func(tx *bbolt.Tx) error {
			read(fileOf(tx))
			return nil
		})
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", table.ErrUnavailable, operation, err)
	}
	return nil
}
