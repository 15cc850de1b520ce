package archive

import (
	"cmp"
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
	items, err := read(ctx, a.store, key)
	if err != nil {
		return Manifest{}, err
	}
	return manifestOf(key, items)
}

// read reads items by their keys.
func read(ctx context.Context, store Store, keys ...Key) ([]Item, error) {
	items, err := store.Get(ctx, keys...)
	if err != nil {
		return nil, fmt.Errorf("archive: read %s: %w", keys[0], err)
	}
	return items, nil
}

func manifestOf(key Key, items []Item) (Manifest, error) {
	data, ok := dataOf(items, key)
	if !ok {
		return Manifest{}, fmt.Errorf("%w: %s", ErrNotFinal, key)
	}
	return openManifest(key, data)
}

// afterAll is after every sort key of a board.
const afterAll = "\U0010FFFF"

// list reads the items of a partition before a sort key, the last first.
func (a *Archive) list(ctx context.Context, part, below string, limit int) ([]Item, error) {
	items, err := a.store.Descend(ctx, part, below, limit)
	if err != nil {
		return nil, fmt.Errorf("archive: list %s: %w", part, err)
	}
	return items, nil
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
func (a *Archive) Periods(
	ctx context.Context, name string, w board.Window, below board.Period, limit int,
) ([]Final, error) {
	items, err := a.list(ctx, manifests(name, w), cmp.Or(below.String(), afterAll), limit)
	if err != nil {
		return nil, err
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
