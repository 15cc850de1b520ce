package archive

import (
	"context"
	"errors"
	"fmt"

	"laurel/shared/board"
)

// ErrNotFinal is wrapped when a period has no manifest: it is live, or nobody
// was ever on it.
var ErrNotFinal = errors.New("archive: period is not final")

// An Archive is the final part of a forum's leaderboards. It is safe for
// concurrent use.
type Archive struct {
	store Store
}

// New returns the archive that a store keeps.
func New(store Store) *Archive { return &Archive{store: store} }

// Manifest reads what a final board is, in one read. The error wraps
// ErrNotFinal when it is none.
func (a *Archive) Manifest(ctx context.Context, name string, p board.Period) (Manifest, error) {
	key := manifestKey(name, p)
	items, err := a.store.Get(ctx, key)
	if err != nil {
		return Manifest{}, fmt.Errorf("archive: read %s: %w", key, err)
	}
	return manifestOf(key, items)
}

func manifestOf(key Key, items []Item) (Manifest, error) {
	for _, item := range items {
		if item.Key == key {
			return openManifest(key, item.Data)
		}
	}
	return Manifest{}, fmt.Errorf("%w: %s", ErrNotFinal, key)
}

// A Final is a period that is in the archive.
type Final struct {
	Period board.Period
	Total  int64
}

// Periods lists the final periods of a board's window, the newest first: those
// before the period below, or all for the zero Period. It is one read.
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
