package archive

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"laurel/shared/board"
)

const (
	friendsAtOnce = 8  // concurrent reads
	friendsPages  = 25 // pages of one read: one megabyte, four when decoded
)

// Friends returns the places of some users on a final board, in its order, and the
// board's total; users who are not on it are left out. The error wraps ErrNotFinal if the
// period is not final.
//
// A board of one page takes one read. On a larger one, a few users are looked up in the
// index and their pages are read, at most 19 units each; for many users all pages are
// read, at most 2.5 units for each thousand entries, which is no more than the lookups.
func (a *Archive) Friends(
	ctx context.Context, name string, p board.Period, users []string,
) ([]board.Place, int64, error) {
	f, err := a.search(ctx, name, p, users)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(f.places, func(a, b board.Place) int { return cmp.Compare(a.Rank, b.Rank) })
	return f.places, f.total, nil
}

// Standings returns the standings of some users on a final board, in their order and without
// the ranks in the period before. It reads what Friends reads. The error wraps ErrNotFinal if
// the period is not final.
func (a *Archive) Standings(
	ctx context.Context, name string, p board.Period, users []string,
) ([]board.Standing, error) {
	f, err := a.search(ctx, name, p, users)
	if err != nil {
		return nil, err
	}
	found := make(map[string]board.Standing, len(f.places))
	for _, place := range f.places {
		above := f.scores[place.Rank-1]
		found[place.User] = board.NewStanding(place.Rank, place.Packed, f.total, above, 0)
	}
	standings := make([]board.Standing, len(users))
	for i, user := range users {
		var on bool
		if standings[i], on = found[user]; !on {
			standings[i] = *board.OffBoard(f.total, 0)
		}
	}
	return standings, nil
}

// search finds users on a final board.
func (a *Archive) search(ctx context.Context, name string, p board.Period, users []string) (f *friends, err error) {
	err = a.inCopy(ctx, name, p, func(copied int64) (Manifest, error) {
		f = &friends{
			Archive: a, name: name, period: p, copied: copied, wanted: make(map[string]bool, len(users)),
			scores: map[int64]int64{},
		}
		for _, user := range users {
			f.wanted[user] = true
		}
		m, err := f.find(ctx)
		f.total = m.Total
		return m, err
	})
	return f, err
}

// friends is a search for users on a final board.
type friends struct {
	*Archive
	name   string
	period board.Period
	copied int64
	wanted map[string]bool
	total  int64

	mu     sync.Mutex
	places []board.Place
	scores map[int64]int64 // by rank, of those above the users, and of the last of each page
}

// find takes the users from the copy of the board, if the manifest names that.
func (f *friends) find(ctx context.Context) (Manifest, error) {
	m, err := f.first(ctx)
	if err != nil || m.Copy != f.copied {
		return m, err
	}
	pages := make([]int64, 0, m.Pages())
	for n := int64(1); n < m.Pages(); n++ {
		pages = append(pages, n)
	}
	// An item of the index takes nine units, a page four to ten: from a third of a user
	// a page on, reading all pages takes no more.
	if 3*int64(len(f.wanted)) < m.Pages() {
		if pages, err = f.lookUp(ctx); err != nil {
			return m, err
		}
	}
	return m, f.read(ctx, pages)
}

// first reads the manifest and the first page.
func (f *friends) first(ctx context.Context) (Manifest, error) {
	head, page := manifestKey(f.name, f.period), pageKey(f.name, f.period, f.copied, 0)
	items, err := read(ctx, f.store, head, page)
	if err != nil {
		return Manifest{}, err
	}
	m, err := manifestOf(head, items)
	if err != nil || m.Total == 0 || m.Copy != f.copied {
		return m, err
	}
	return m, f.take([]int64{0}, items)
}

// lookUp returns the pages of the users by the index, in order and without the first.
func (f *friends) lookUp(ctx context.Context) ([]int64, error) {
	hashes := make([]uint64, 0, len(f.wanted))
	for user := range f.wanted {
		hashes = append(hashes, hashOf(user))
	}
	slices.Sort(hashes)
	var mu sync.Mutex
	var pages []int64
	err := inRuns(hashes, (len(hashes)+friendsAtOnce-1)/friendsAtOnce, friendsAtOnce, func(run []uint64) error {
		var part indexPart
		for _, hash := range run { // ascending, so that one item serves several
			if hash >= part.until {
				var err error
				if part, err = f.index(ctx, f.name, f.period, f.copied, hash); err != nil {
					return err
				}
				if hash >= part.until {
					return damaged(indexKey(f.name, f.period, f.copied, hash), "no item of the index covers the hash")
				}
			}
			mu.Lock()
			for _, rank := range ranksOf(part.spots, hash) {
				pages = append(pages, (rank-1)/PageLen, max(rank-2, 0)/PageLen) // with the one above
			}
			mu.Unlock()
		}
		return nil
	})
	slices.Sort(pages)
	pages = slices.Compact(pages)
	return slices.DeleteFunc(pages, func(n int64) bool { return n == 0 }), err
}

// read reads pages and takes the users from them.
func (f *friends) read(ctx context.Context, pages []int64) error {
	return inRuns(pages, friendsPages, friendsAtOnce, func(run []int64) error {
		keys := make([]Key, len(run))
		for i, n := range run {
			keys[i] = pageKey(f.name, f.period, f.copied, n)
		}
		items, err := read(ctx, f.store, keys...)
		if err != nil {
			return err
		}
		return f.take(run, items)
	})
}

// take adds the users on pages that were read.
func (f *friends) take(pages []int64, items []Item) error {
	for _, n := range pages {
		key := pageKey(f.name, f.period, f.copied, n)
		entries, err := openPageOf(items, key)
		if err != nil {
			return err
		}
		f.mu.Lock()
		for j, e := range entries {
			rank := n*PageLen + int64(j) + 1
			if f.wanted[e.User] && !e.Erased() {
				f.places = append(f.places, board.Place{Rank: rank, Entry: e})
			}
			if j == len(entries)-1 || f.wanted[entries[j+1].User] {
				f.scores[rank] = e.Packed.Score()
			}
		}
		f.mu.Unlock()
	}
	return nil
}

// inRuns calls do for runs of a list, at most atOnce at a time, and joins the errors.
func inRuns[T any](list []T, length, atOnce int, do func(run []T) error) error {
	var (
		mu   sync.Mutex
		errs []error
		all  sync.WaitGroup
		free = make(chan struct{}, atOnce)
	)
	for run := range slices.Chunk(list, max(length, 1)) {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			if err := do(run); err != nil {
				mu.Lock()
				errs = append(errs, err)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}
