package archive

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// erasing is an entry on its way out: the manifest names it before the page and
// the index are touched, and no more when both are done. So what a crash leaves is
// found by the next who erases anybody on that board, and two do not mix up their
// sums.
type erasing struct {
	rank int64  // from 1
	hash uint64 // of the user's id
}

// append appends it to a manifest's body; nil is none.
func (e *erasing) append(b []byte) []byte {
	if e == nil {
		return binary.AppendUvarint(b, 0)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(e.rank)), e.hash)
}

func readErasing(r *codec.Reader, total int64) *erasing {
	rank := r.Uvarint()
	if rank == 0 {
		return nil
	}
	e := &erasing{rank: int64(rank), hash: r.Uvarint()}
	r.Check(rank <= uint64(total) && e.hash < 1<<hashBits, outOfRange)
	return e
}

// pair is the two items that name a user, as they were read after the manifest. As
// nobody touches them without changing that first, they are what is there for as
// long as it is.
type pair struct {
	erasing
	page    Item
	entries []board.Entry
	index   indexPart
}

// pair reads the items for an entry.
func (e *eraser) pair(ctx context.Context, of erasing) (pair, error) {
	found := pair{erasing: of}
	var err error
	if found.index, err = e.covering(ctx, of.hash); err != nil {
		return pair{}, err
	}
	err = e.readPage(ctx, &found)
	return found, err
}

// covering reads the item of the index for a hash, and looks whether the board is
// still there when there is none.
func (e *eraser) covering(ctx context.Context, hash uint64) (indexPart, error) {
	part, err := e.index(ctx, e.name, e.period, hash)
	if err == nil && hash >= part.until {
		if err = e.readHead(ctx); err == nil {
			err = damaged(indexKey(e.name, e.period, hash), "no item of the index goes that far")
		}
	}
	return part, err
}

func (e *eraser) readPage(ctx context.Context, p *pair) error {
	key := pageKey(e.name, e.period, (p.rank-1)/PageLen)
	items, err := e.store.Get(ctx, key)
	if err != nil {
		return fmt.Errorf("archive: read %s: %w", key, err)
	}
	if len(items) == 0 {
		if err := e.readHead(ctx); err != nil {
			return err
		}
		return damaged(key, "it is missing")
	}
	p.page = items[0]
	if p.entries, err = openPage(key, p.page.Data); err == nil && (p.rank-1)%PageLen >= int64(len(p.entries)) {
		err = damaged(key, "it ends too soon")
	}
	return err
}

// find finds the user; rank 0 is nowhere.
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

// without returns the items as they are when the entry is erased. Done twice it is
// done once.
func (p pair) without() (page, index Item) {
	page, index = p.page, p.index.item
	if i := (p.rank - 1) % PageLen; !p.entries[i].Erased() {
		entries := slices.Clone(p.entries)
		entries[i].User = ""
		page.Data = sealPage(page.Key, entries)
	}
	spots := slices.DeleteFunc(slices.Clone(p.index.spots), func(s spot) bool { return s == spot{p.hash, uint32(p.rank)} })
	if len(spots) < len(p.index.spots) {
		index.Data = sealIndex(index.Key, spots, p.index.until)
	}
	return page, index
}
