package items

import (
	"context"
	"encoding/json"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/store/table"
)

// PublicCategories is the list of a forum's categories that guests read. The zero value was never filled: nothing is
// public.
type PublicCategories struct {
	IDs    []int64      `json:"ids,omitempty"` // sorted, each once
	Filled board.Moment `json:"filled,omitempty"`
}

func publicKey(source string) table.Key {
	return table.Key{Partition: partForum, Sort: "public#" + source}
}

// PublicCategories reads the list of a source of webhooks. One that cannot be read is as one that was never filled.
func (s *Store) PublicCategories(ctx context.Context, source string) (PublicCategories, error) {
	p, _, err := s.readPublic(ctx, source)
	return p, err
}

// FillPublic replaces the list of a source, and returns the one before it and the one that is kept.
func (s *Store) FillPublic(
	ctx context.Context, source string, next PublicCategories,
) (was, kept PublicCategories, err error) {
	slices.Sort(next.IDs)
	next.IDs = slices.Compact(next.IDs)
	data, err := json.Marshal(next)
	if err != nil {
		return was, next, err
	}
	err = Again(ctx, func() error {
		var revision int64
		if was, revision, err = s.readPublic(ctx, source); err != nil {
			return err
		}
		_, err = s.writeOne(ctx, publicKey(source), data, revision)
		return err
	})
	return was, next, err
}

func (s *Store) readPublic(ctx context.Context, source string) (p PublicCategories, revision int64, err error) {
	items, err := s.table.Get(ctx, publicKey(source))
	if err != nil {
		return p, 0, wrap("read public categories", err)
	}
	if len(items) == 0 {
		return p, 0, nil
	}
	if json.Unmarshal(items[0].Data, &p) != nil || !slices.IsSorted(p.IDs) {
		p = PublicCategories{}
	}
	return p, items[0].Revision, nil
}
