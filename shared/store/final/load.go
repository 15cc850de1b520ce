package final

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"laurel/shared/core/codec"
	"laurel/shared/store/items"
	"laurel/shared/store/table"
)

// A query asks for entries of a board: some from an offset on, and those of keys with so many on each side.
type query struct {
	offset, limit int64
	keys          []items.Key
	around        int64
}

// known is the part of a board that a process knows from an earlier read: the items to ask for
// along with the manifest.
type known struct {
	run   string
	total int64
}

// A loaded holds the parts of a board that were read.
type loaded struct {
	ref
	Manifest
	pages map[int64][]items.Member // by number
}

// at returns an entry that was asked for, from 0.
func (l *loaded) entry(i int64) items.Member {
	if i < int64(len(l.Top)) {
		return l.Top[i]
	}
	return l.pages[i/PageLen][i%PageLen]
}

// ranks returns the ranks of those of some keys that are on the board.
func (l *loaded) ranks(keys []items.Key) map[items.Key]int64 {
	wanted := make(map[items.Key]int64, len(keys))
	for _, k := range keys {
		wanted[k] = 0
	}
	take := func(entries []items.Member, first int64) {
		for i, e := range entries {
			if _, ok := wanted[e.Key]; ok {
				wanted[e.Key] = first + int64(i) + 1
			}
		}
	}
	if len(keys) > 0 {
		take(l.Top, 0)
		for n, entries := range l.pages {
			take(entries, n*PageLen)
		}
	}
	return wanted
}

// load reads the items that a query asks for. A copy that the process knows may have been
// replaced: missing items are then looked for in the one that the manifest names.
func (s *Store) load(ctx context.Context, r ref, q query) (*loaded, error) {
	earlier, guessed := s.runs.Load(r)
	k, _ := earlier.(known)
	for {
		l := &loaded{ref: r}
		if !guessed {
			var err error
			if l.Manifest, _, err = s.manifestOf(ctx, r); err != nil {
				return nil, err
			}
			k = known{l.Run, l.Total}
		}
		numbers, err := s.numbers(ctx, r, k, q)
		if err == nil {
			err = s.fetch(ctx, l, k.run, numbers, guessed)
		}
		switch {
		case err == nil && l.Run == k.run:
			return l, nil
		case err == nil:
		case !errors.Is(err, codec.ErrDamaged):
			return nil, err
		case !guessed:
			if now, _, gone := s.manifestOf(ctx, r); gone != nil || now.Run == k.run {
				return nil, errors.Join(gone, err)
			}
		}
		guessed = false
	}
}

// numbers returns the pages that hold a query's entries beyond those in the manifest.
func (s *Store) numbers(ctx context.Context, r ref, k known, q query) ([]int64, error) {
	pages, numbers := pagesOf(k.total), []int64{}
	need := func(from, to int64) { // places from 0
		for n := max(from, 0) / PageLen; n <= (to-1)/PageLen && n < pages && to > 0; n++ {
			numbers = append(numbers, n)
		}
	}
	if q.limit > 0 && q.offset+q.limit > TopLen { // else the manifest has it
		need(q.offset, q.offset+q.limit)
	}
	// An item of the index takes nine units, a page eleven: from a third of a key a page on,
	// reading all pages takes no more.
	switch all := max(indexFrom-1, 3*int64(len(q.keys))); {
	case len(q.keys) > 0 && pages <= all:
		need(0, k.total)
	case len(q.keys) > 0:
		ranks, err := s.lookUp(ctx, r, k.run, q.keys)
		if err != nil {
			return nil, err
		}
		for _, rank := range ranks {
			need(rank-1-max(q.around, 1), rank+max(q.around, 1))
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

const (
	readsAtOnce  = 8
	pagesPerRead = 25 // a megabyte
)

// fetch reads pages of a run, and with the first ones the manifest if it is not read yet.
func (s *Store) fetch(ctx context.Context, l *loaded, run string, numbers []int64, manifest bool) error {
	var keys []table.Key
	if manifest {
		keys = append(keys, l.manifest())
	}
	for _, n := range numbers {
		keys = append(keys, l.page(run, n))
	}
	chunks := slices.Collect(slices.Chunk(keys, pagesPerRead))
	found := make([][]table.Item, len(chunks))
	err := atOnce(len(chunks), func(i int) (err error) {
		if found[i], err = s.table.Get(ctx, chunks[i]...); err != nil {
			err = fmt.Errorf("final: read %s: %w", chunks[i][0], err)
		}
		return err
	})
	if err != nil {
		return err
	}
	rows := map[table.Key]table.Item{}
	for _, item := range slices.Concat(found...) {
		rows[item.Key] = item
	}
	if manifest {
		item, found := rows[l.manifest()]
		if !found {
			return fmt.Errorf("%w: %s", ErrNotFinal, l.manifest())
		}
		if l.Manifest, err = openManifest(item); err != nil {
			return err
		}
	}
	return l.open(numbers, rows)
}

// open decodes pages.
func (l *loaded) open(numbers []int64, rows map[table.Key]table.Item) error {
	l.pages = make(map[int64][]items.Member, len(numbers))
	for _, n := range numbers {
		key := l.page(l.Run, n)
		item, found := rows[key]
		if !found {
			return damaged(key, "missing")
		}
		r, err := open(item, kindPage)
		if err != nil {
			return err
		}
		l.pages[n] = readEntries(&r)
		if err := r.Done(); err != nil {
			return named(key, err)
		}
		if want := min(PageLen, l.Total-n*PageLen); int64(len(l.pages[n])) != want {
			return damaged(key, fmt.Sprintf("%d entries, want %d", len(l.pages[n]), want))
		}
	}
	return nil
}

// lookUp returns the ranks that the index has of keys; those of others with the same hash too.
func (s *Store) lookUp(ctx context.Context, r ref, run string, keys []items.Key) ([]int64, error) {
	hashes := make([]uint64, len(keys))
	for i, k := range keys {
		hashes[i] = hashOf(k)
	}
	slices.Sort(hashes)
	runs := slices.Collect(slices.Chunk(hashes, (len(hashes)+readsAtOnce-1)/readsAtOnce))
	ranks := make([][]int64, len(runs))
	err := atOnce(len(runs), func(i int) error {
		var spots []spot
		var until uint64
		for _, hash := range runs[i] { // ascending, so that one item serves several
			if hash >= until {
				var err error
				if spots, until, err = s.indexOf(ctx, r, run, hash); err != nil {
					return err
				}
			}
			position, _ := slices.BinarySearchFunc(spots, spot{hash: hash}, compareSpots)
			for ; position < len(spots) && spots[position].hash == hash; position++ {
				ranks[i] = append(ranks[i], int64(spots[position].rank))
			}
		}
		return nil
	})
	return slices.Concat(ranks...), err
}

// indexOf reads the item of the index that a hash is in.
func (s *Store) indexOf(ctx context.Context, r ref, run string, hash uint64) ([]spot, uint64, error) {
	below := r.index(run, hash+1)
	rows, err := s.table.Descend(ctx, below.Partition, below.Sort, 1)
	if err != nil {
		return nil, 0, fmt.Errorf("final: read %s: %w", below, err)
	}
	if len(rows) == 0 || rows[0].Sort < r.index(run, 0).Sort {
		return nil, 0, damaged(below, "no item of the index covers the hash")
	}
	spots, until, err := openIndex(rows[0])
	if err == nil && hash >= until {
		err = damaged(rows[0].Key, "the next item of the index is missing")
	}
	return spots, until, err
}

// atOnce calls do for 0 to n-1, some at a time, and returns the first error.
func atOnce(n int, do func(i int) error) error {
	var group errgroup.Group
	group.SetLimit(readsAtOnce)
	for i := range n {
		group.Go(func() error { return do(i) })
	}
	return group.Wait()
}
