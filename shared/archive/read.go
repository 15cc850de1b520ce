package archive

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/board"
)

// Read answers a view of a final board: a page in one read, a user's standing in one
// more, and the user's rank in the period before in another; the standings of the view's
// Users as Standings does. It has no movement. The error wraps ErrNotFinal if the period is
// not final.
func (a *Archive) Read(ctx context.Context, v board.View) (board.Page, error) {
	r, err := a.read(ctx, v)
	if err != nil {
		return board.Page{}, err
	}
	page := board.Page{Final: true, Total: r.manifest.Total}
	if page.Places, err = r.places(v.Offset, v.Limit); err == nil && v.User != "" {
		err = r.stand(ctx, &page)
	}
	if err == nil && len(v.Users) > 0 {
		page.Standings, err = a.Standings(ctx, v.Board, v.Period, v.Users)
	}
	if err != nil {
		return board.Page{}, err
	}
	return page, nil
}

// read reads the items of a view: the index for its user, then the manifest and the
// pages. If the index does not cover the user's hash, the board may have become final in
// between, and the index is read again.
func (a *Archive) read(ctx context.Context, v board.View) (r *reading, err error) {
	err = a.inCopy(ctx, v.Board, v.Period, func(copied int64) (Manifest, error) {
		for again := false; ; again = true {
			var covered bool
			r, covered, err = a.readCopy(ctx, v, copied)
			switch {
			case err != nil, r.manifest.Copy != copied, covered:
				return r.manifest, err
			case again:
				return r.manifest, damaged(indexKey(v.Board, v.Period, copied, hashOf(v.User)),
					"no item of the index covers the hash")
			}
		}
	})
	return r, err
}

// readCopy reads the items of a view from a copy of the board, if the manifest names that.
func (a *Archive) readCopy(ctx context.Context, v board.View, copied int64) (r *reading, covered bool, err error) {
	r, covered = a.reading(v, copied), true
	if v.User != "" {
		hash := hashOf(v.User)
		part, err := a.index(ctx, v.Board, v.Period, copied, hash)
		if err != nil {
			return r, false, err
		}
		r.ranks, covered = ranksOf(part.spots, hash), hash < part.until
	}
	err = r.fetch(ctx)
	return r, covered, err
}

// inCopy calls read, which returns the manifest, with the number of a copy: mostly there is
// but the first. It calls it again if the manifest names another, or does when something is
// missing: a copy is deleted after it was replaced.
func (a *Archive) inCopy(
	ctx context.Context, name string, p board.Period, read func(copied int64) (Manifest, error),
) error {
	for copied := int64(0); ; {
		m, err := read(copied)
		switch {
		case errors.Is(err, ErrDamaged):
			now, gone := a.Manifest(ctx, name, p)
			if gone != nil {
				return gone
			}
			m = now
		case err != nil:
			return err
		}
		if m.Copy == copied {
			return err
		}
		copied = m.Copy
	}
}

// Rank returns a user's rank on a final board in two reads; 0 if the user is not on it or
// there is no such board.
func (a *Archive) Rank(ctx context.Context, name string, p board.Period, user string) (int64, error) {
	r, err := a.read(ctx, board.View{Board: name, Period: p, User: user})
	switch {
	case errors.Is(err, ErrNotFinal):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return r.rank(), nil
}

// indexPart is an item of the index; until is 0 if there is none.
type indexPart struct {
	item  Item
	spots []spot
	until uint64
}

// index reads the item of the index for a hash, if there is one.
func (a *Archive) index(ctx context.Context, name string, p board.Period, copied int64, hash uint64) (
	indexPart, error,
) {
	below := indexKey(name, p, copied, hash+1)
	items, err := a.list(ctx, below.Partition, below.Sort, 1)
	if err != nil || len(items) == 0 || items[0].Sort < prefixIndex || items[0].Sort >= prefixPage {
		return indexPart{}, err
	}
	part := indexPart{item: items[0]}
	part.spots, part.until, err = openIndex(part.item.Key, part.item.Data)
	return part, err
}

// reading is the state of reading a view.
type reading struct {
	archive  *Archive
	view     board.View
	copied   int64   // number of the copy that is read
	ranks    []int64 // candidates for the user's
	manifest Manifest
	pages    map[int64][]board.Entry // by number
}

func (a *Archive) reading(v board.View, copied int64) *reading {
	return &reading{archive: a, view: v, copied: copied, pages: map[int64][]board.Entry{}}
}

// fetch reads the manifest and the pages of the view, in one read. It leaves pages of
// another copy than the manifest's.
func (r *reading) fetch(ctx context.Context) error {
	v := r.view
	var numbers []int64
	need := func(from, to int64) { // places from 0
		for page := max(from, 0) / PageLen; page <= (to-1)/PageLen && to > 0; page++ {
			if !slices.Contains(numbers, page) {
				numbers = append(numbers, page)
			}
		}
	}
	if v.Limit > 0 && v.Offset+v.Limit > TopLen { // else the manifest has it
		need(v.Offset, v.Offset+v.Limit)
	}
	for _, rank := range r.ranks {
		around := max(v.Around, 1)
		need(rank-1-around, rank+around)
	}
	head := manifestKey(v.Board, v.Period)
	keys := []Key{head}
	for _, n := range numbers {
		keys = append(keys, pageKey(v.Board, v.Period, r.copied, n))
	}
	items, err := read(ctx, r.archive.store, keys...)
	if err != nil {
		return err
	}
	if r.manifest, err = manifestOf(head, items); err != nil || r.manifest.Copy != r.copied {
		return err
	}
	for _, n := range numbers {
		if err := r.open(n, items); err != nil {
			return err
		}
	}
	return nil
}

// open decodes a page of the items; a missing one is damage.
func (r *reading) open(n int64, items []Item) error {
	if n >= r.manifest.Pages() {
		return nil
	}
	key := pageKey(r.view.Board, r.view.Period, r.copied, n)
	entries, err := openPageOf(items, key)
	if err != nil {
		return err
	}
	if want := min(PageLen, r.manifest.Total-n*PageLen); int64(len(entries)) != want {
		return damaged(key, fmt.Sprintf("%d entries, want %d", len(entries), want))
	}
	r.pages[n] = entries
	return nil
}

// places returns up to limit places from an offset.
func (r *reading) places(offset, limit int64) ([]board.Place, error) {
	end := min(offset+limit, r.manifest.Total)
	places := make([]board.Place, 0, max(end-offset, 0))
	for i := offset; i < end; i++ {
		e, ok := r.at(i)
		if !ok {
			return nil, damaged(pageKey(r.view.Board, r.view.Period, r.copied, i/PageLen), "not read")
		}
		places = append(places, board.Place{Rank: i + 1, Entry: e})
	}
	return places, nil
}

// at returns the entry at index i, from 0, if it was read.
func (r *reading) at(i int64) (board.Entry, bool) {
	if i < int64(len(r.manifest.Top)) {
		return r.manifest.Top[i], true
	}
	page := r.pages[i/PageLen]
	if i%PageLen >= int64(len(page)) {
		return board.Entry{}, false
	}
	return page[i%PageLen], true
}

// rank returns the user's rank, 0 if none of the candidates is the user.
func (r *reading) rank() int64 {
	for _, rank := range r.ranks {
		if e, ok := r.at(rank - 1); ok && e.User == r.view.User {
			return rank
		}
	}
	return 0
}

// stand puts the user's standing and neighbours on the page.
func (r *reading) stand(ctx context.Context, page *board.Page) error {
	var previousRank int64 // 0 also if the period before is not final
	if v := r.view; v.Period.Window() != board.All {
		var err error
		if previousRank, err = r.archive.Rank(ctx, v.Board, v.Period.Prev(), v.User); err != nil {
			return err
		}
	}
	rank := r.rank()
	if rank == 0 {
		page.Standing = board.OffBoard(r.manifest.Total, previousRank)
		return nil
	}
	around := max(r.view.Around, 1)
	from := max(rank-1-around, 0)
	near, err := r.places(from, rank+around-from)
	if err != nil {
		return err
	}
	page.Standing, page.Neighbours = board.Stand(near, rank, page.Total, previousRank, r.view.Around)
	return nil
}
