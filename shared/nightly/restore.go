package nightly

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"laurel/shared/archive"
	"laurel/shared/board"
)

// ErrShort is wrapped if a restored board lacks entries.
var ErrShort = errors.New("nightly: the board in Redis has fewer entries than the archive's")

// Opener is what a restore needs of Redis.
type Opener interface {
	Restoring(ctx context.Context, name string, p board.Period) (bool, error)
	BeginRestore(ctx context.Context, name string, p board.Period) error
	PutBack(ctx context.Context, name string, p board.Period, entries iter.Seq2[board.Entry, error]) (leftOut int64,
		err error)
	Total(ctx context.Context, name string, p board.Period) (int64, error)
	EndRestore(ctx context.Context, name string, p board.Period) error
}

// Restore makes a final period live again until the next run, and returns the number of
// its entries. While its entries are written to Redis the period is closed and marked, so
// that no run removes it; when all are there, it is removed from the archive, manifest
// first, and opened. After an interruption, repeat it from the beginning. The error wraps
// archive.ErrNotFinal if the archive does not have the period.
//
// Entries of erased users are left out: the places below move up.
//
// Undos that arrived while it was final took their points from the month only: they are
// still on the restored board until `laurel audit --apply` applies them. The ledger's
// month stays closed if it was. The pages of a day do not come back: whoever had one keeps
// the day's score, and gets too_late for more entries by day.
func Restore(ctx context.Context, store Opener, from Archive, name string, p board.Period) (int64, error) {
	began, err := store.Restoring(ctx, name, p)
	if err != nil {
		return 0, err
	}
	if !began { // nothing is closed yet
		if _, err := from.Manifest(ctx, name, p); err != nil {
			return 0, err
		}
	}
	if err := store.BeginRestore(ctx, name, p); err != nil {
		return 0, err
	}
	m, err := from.Manifest(ctx, name, p)
	switch {
	case err == nil:
		if err := putBack(ctx, store, from, name, p, m.Total-m.Erased); err != nil {
			return 0, err
		}
	case !errors.Is(err, archive.ErrNotFinal):
		return 0, err
	} // else an earlier restore has written all: it removes the manifest after that
	if err := from.Remove(ctx, name, p); err != nil {
		return 0, err
	}
	total, err := store.Total(ctx, name, p)
	if err != nil {
		return 0, err
	}
	return total, store.EndRestore(ctx, name, p)
}

func putBack(ctx context.Context, store Opener, from Archive, name string, p board.Period, want int64) error {
	leftOut, err := store.PutBack(ctx, name, p, named(from.Entries(ctx, name, p)))
	if err != nil {
		return err
	}
	total, err := store.Total(ctx, name, p)
	if err != nil {
		return err
	}
	if total+leftOut < want { // more is possible after ErrDiffers
		return fmt.Errorf("%w: %d of %d", ErrShort, total, want-leftOut)
	}
	return nil
}

// named returns the entries without those of erased users.
func named(entries iter.Seq2[board.Entry, error]) iter.Seq2[board.Entry, error] {
	return func(yield func(board.Entry, error) bool) {
		for e, err := range entries {
			if err == nil && e.Erased() {
				continue
			}
			if !yield(e, err) {
				return
			}
		}
	}
}
