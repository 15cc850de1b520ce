package archive

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"laurel/shared/board"
	"laurel/shared/codec"
)

// erasing is an entry whose erasure has begun: the manifest has it from before the page
// and the index are changed until both are. So the next erasure on that board finds what
// a crash left, and two erasures do not mix up the manifest's sum.
type erasing struct {
	rank int64  // from 1
	hash uint64 // of the user's id
}

// append appends the entry to a manifest's body; nil is none.
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
	part, err := e.index(ctx, e.name, e.period, hash)
	if err == nil && hash >= part.until {
		if err = e.readHead(ctx); err == nil {
			err = damaged(indexKey(e.name, e.period, hash), "no item of the index covers the hash")
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
		return damaged(key, "missing")
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
	spots := slices.DeleteFunc(slices.Clone(p.index.spots), func(s spot) bool { return s == spot{p.hash, uint32(p.rank)} })
	if len(spots) < len(p.index.spots) {
		index.Data = sealIndex(index.Key, spots, p.index.until)
	}
	return page, index
}
