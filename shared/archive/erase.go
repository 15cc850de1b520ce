package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/board"
)

// Erase removes a user from a final board: the entry keeps its place and its score
// without an id. It reports whether the user was on the board; false if the period is not
// final. It can be repeated and can run beside others and readers; repeat it after an
// interruption.
//
// For a user who is not on the board it reads the manifest and an item of the index (10
// units for a large board), otherwise also a page, and makes four writes (80 units: an
// item of the index and a page are rewritten).
func (a *Archive) Erase(ctx context.Context, name string, p board.Period, user string) (bool, error) {
	return (&eraser{Archive: a, name: name, period: p, user: user, hash: hashOf(user)}).erase(ctx)
}

// eraser erases one user from one board.
type eraser struct {
	*Archive
	name   string
	period board.Period
	user   string
	hash   uint64

	head     Item // the manifest as it was read; without data before that
	manifest Manifest
	erased   bool
}

// erase repeats try until there is no conflict. In each conflict the other one has made
// progress, so all end.
func (e *eraser) erase(ctx context.Context) (bool, error) {
	for {
		done, err := e.try(ctx)
		switch {
		case errors.Is(err, ErrNotFinal):
			return e.erased, nil // not final, or no longer
		case errors.Is(err, ErrExists):
			e.head = Item{}
		case done || err != nil:
			return e.erased, err
		}
	}
}

// try does the next erasure on the board, and reports whether nothing is left to do. The
// error wraps ErrExists if an item changed since it was read.
func (e *eraser) try(ctx context.Context) (done bool, err error) {
	if e.head.Data == nil {
		if err := e.readHead(ctx); err != nil {
			return false, err
		}
	}
	if m := e.manifest.erasing; m != nil {
		pair, err := e.pair(ctx, *m)
		if err != nil {
			return false, err
		}
		return false, e.complete(ctx, pair)
	}
	pair, err := e.find(ctx)
	if err != nil || pair.rank == 0 {
		return err == nil, err
	}
	if err := e.begin(ctx, pair); err != nil {
		return false, err
	}
	return true, e.complete(ctx, pair)
}

func (e *eraser) readHead(ctx context.Context) error {
	key := manifestKey(e.name, e.period)
	items, err := read(ctx, e.store, key)
	if err != nil {
		return err
	}
	if e.manifest, err = manifestOf(key, items); err == nil {
		e.head = items[0]
	}
	return err
}

// begin records the erasure in the manifest.
func (e *eraser) begin(ctx context.Context, p pair) error {
	page, index := p.without()
	m := e.manifest
	m.Erased++
	m.erasing = &p.erasing
	m.Sum += uint64(crcOf(page.Data)) + uint64(crcOf(index.Data))
	m.Sum -= uint64(crcOf(p.page.Data)) + uint64(crcOf(p.index.item.Data))
	if p.rank <= int64(len(m.Top)) {
		m.Top = slices.Clone(m.Top)
		m.Top[p.rank-1].User = ""
	}
	return e.writeHead(ctx, m)
}

// complete does the erasure that the manifest records, of this user or another.
func (e *eraser) complete(ctx context.Context, p pair) error {
	e.erased = e.erased || p.hash == e.hash
	page, index := p.without()
	if err := e.replace(ctx, page, p.page); err != nil {
		return err
	}
	if err := e.replace(ctx, index, p.index.item); err != nil {
		return err
	}
	m := e.manifest
	m.erasing = nil
	return e.writeHead(ctx, m)
}

func (e *eraser) writeHead(ctx context.Context, m Manifest) error {
	head := e.head
	head.Data = sealManifest(head.Key, m)
	if err := e.replace(ctx, head, e.head); err != nil {
		return err
	}
	e.head, e.manifest = head, m
	return nil
}

// replace replaces the item that was read; the new one has the same expiry.
func (e *eraser) replace(ctx context.Context, item, old Item) error {
	if bytes.Equal(item.Data, old.Data) {
		return nil
	}
	if err := e.store.Replace(ctx, item, old.Data); err != nil {
		return fmt.Errorf("archive: erase from %s: %w", item.Key, err)
	}
	return nil
}

// pair is the two items with a user, read after the manifest. Every change of them
// changes the manifest first, so they are current as long as the manifest is.
type pair struct {
	erasing
	page    Item
	entries []board.Entry
	index   indexPart
}

// pair reads the two items of an entry.
func (e *eraser) pair(ctx context.Context, of erasing) (pair, error) {
	found := pair{erasing: of}
	var err error
	if found.index, err = e.covering(ctx, of.hash); err != nil {
		return pair{}, err
	}
	err = e.readPage(ctx, &found)
	return found, err
}

// covering reads the item of the index for a hash. If there is none, it checks whether
// the board still exists.
func (e *eraser) covering(ctx context.Context, hash uint64) (indexPart, error) {
	part, err := e.index(ctx, e.name, e.period, e.manifest.Copy, hash)
	if err == nil && hash >= part.until {
		err = e.missing(ctx, indexKey(e.name, e.period, e.manifest.Copy, hash), "no item of the index covers the hash")
	}
	return part, err
}

// missing is the error of an item that is not there: damage, unless the board's copy was
// replaced since its manifest was read.
func (e *eraser) missing(ctx context.Context, key Key, why string) error {
	was := e.manifest.Copy
	if err := e.readHead(ctx); err != nil {
		return err
	}
	if e.manifest.Copy != was {
		return fmt.Errorf("%w: the copy of %s was replaced", ErrExists, key)
	}
	return damaged(key, why)
}

func (e *eraser) readPage(ctx context.Context, p *pair) error {
	key := pageKey(e.name, e.period, e.manifest.Copy, (p.rank-1)/PageLen)
	items, err := read(ctx, e.store, key)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return e.missing(ctx, key, "missing")
	}
	p.page = items[0]
	if p.entries, err = openPage(key, p.page.Data); err == nil && (p.rank-1)%PageLen >= int64(len(p.entries)) {
		err = damaged(key, "truncated")
	}
	return err
}

// find returns the items with the user; rank 0 if the user is not on the board.
func (e *eraser) find(ctx context.Context) (pair, error) {
	index, err := e.covering(ctx, e.hash)
	if err != nil {
		return pair{}, err
	}
	for _, rank := range ranksOf(index.spots, e.hash) {
		found := pair{erasing: erasing{rank, e.hash}, index: index}
		if err := e.readPage(ctx, &found); err != nil {
			return pair{}, err
		}
		if found.entries[(rank-1)%PageLen].User == e.user {
			return found, nil
		}
	}
	return pair{}, nil
}

// without returns the two items without the user. Calling it twice has the same result.
func (p pair) without() (page, index Item) {
	page, index = p.page, p.index.item
	if i := (p.rank - 1) % PageLen; !p.entries[i].Erased() {
		entries := slices.Clone(p.entries)
		entries[i].User = ""
		page.Data = sealPage(page.Key, entries)
	}
	mine := spot{p.hash, uint32(p.rank)}
	spots := slices.DeleteFunc(slices.Clone(p.index.spots), func(s spot) bool { return s == mine })
	if len(spots) < len(p.index.spots) {
		index.Data = sealIndex(index.Key, spots, p.index.until)
	}
	return page, index
}
