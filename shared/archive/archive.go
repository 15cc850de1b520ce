package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/board"
)

// ErrNotFinal is wrapped if a period has no manifest: it is live, or its board was
// always empty.
var ErrNotFinal = errors.New("archive: period is not final")

// An Archive stores a forum's final boards. It is safe for concurrent use.
type Archive struct {
	store Store
}

// New returns the archive in a store.
func New(store Store) *Archive { return &Archive{store: store} }

// Manifest returns the manifest of a final board, in one read. The error wraps
// ErrNotFinal if the period is not final.
func (a *Archive) Manifest(ctx context.Context, name string, p board.Period) (Manifest, error) {
	key := manifestKey(name, p)
	items, err := a.store.Get(ctx, key)
	if err != nil {
		return Manifest{}, fmt.Errorf("archive: read %s: %w", key, err)
	}
	return manifestOf(key, items)
}

func manifestOf(key Key, items []Item) (Manifest, error) {
	data, ok := dataOf(items, key)
	if !ok {
		return Manifest{}, fmt.Errorf("%w: %s", ErrNotFinal, key)
	}
	return openManifest(key, data)
}

// dataOf returns the data of the item with a key.
func dataOf(items []Item, key Key) (data []byte, ok bool) {
	i := slices.IndexFunc(items, func(item Item) bool { return item.Key == key })
	if i < 0 {
		return nil, false
	}
	return items[i].Data, true
}

// openPageOf decodes the page of one of some items; a missing one is damage.
func openPageOf(items []Item, key Key) ([]board.Entry, error) {
	data, ok := dataOf(items, key)
	if !ok {
		return nil, damaged(key, "missing")
	}
	return openPage(key, data)
}

// A Final is a final period.
type Final struct {
	Period board.Period
	Total  int64
}

// Periods returns the final periods of a board's window, the newest first: those before
// the period below, or all for the zero Period. It is one read.
func (a *Archive) Periods(ctx context.Context, name string, w board.Window, below board.Period, limit int) ([]Final, error) {
	bound := below.String()
	if bound == "" {
		bound = "\U0010FFFF" // after every name
	}
	items, err := a.store.Descend(ctx, manifests(name, w), bound, limit)
	if err != nil {
		return nil, fmt.Errorf("archive: list %s: %w", manifests(name, w), err)
	}
	finals := make([]Final, 0, len(items))
	for _, item := range items {
		p, err := board.ParsePeriod(w, item.Sort)
		if err != nil {
			return nil, damaged(item.Key, err.Error())
		}
		m, err := openManifest(item.Key, item.Data)
		if err != nil {
			return nil, err
		}
		finals = append(finals, Final{p, m.Total})
	}
	return finals, nil
}
