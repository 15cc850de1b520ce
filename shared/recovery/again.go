package recovery

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// OpenAgain opens what a nightly run has closed and not moved, as it was cut off or has found
// that something was lost: what is merged before it is closed again is not too late then. It is
// not called beside another run or a reopening.
func OpenAgain(ctx context.Context, o Options) error {
	r := open(o)
	_, err := r.expectStamp(ctx)
	if err == nil {
		err = r.readClosed(ctx)
	}
	var again []redisstore.LivePeriod
	if err == nil {
		again, err = r.notMoved(ctx)
	}
	if err == nil && len(again) > 0 {
		err = r.live.SetClosed(ctx, func(c *board.Closed) *board.Closed {
			for _, at := range again {
				c = redisstore.OpenedAgain(c, at.Board, at.Period)
			}
			return c
		})
	}
	if err != nil {
		return fmt.Errorf("recovery: open what was not moved: %w", err)
	}
	return nil
}

// notMoved returns the closed periods that Redis still has and the archive has not, and the
// months whose pages were not removed.
func (r *rebuild) notMoved(ctx context.Context) (again []redisstore.LivePeriod, err error) {
	periods, err := r.live.Periods(ctx)
	if err != nil {
		return nil, err
	}
	for name, p := range r.closed.Periods() {
		listed := slices.ContainsFunc(periods, func(at redisstore.LivePeriod) bool {
			return at.Board == name && at.Period == p
		})
		_, mark := redisstore.IsMark(name)
		if mark || redisstore.WasRemoved(r.closed, name, p) || redisstore.IsReopening(r.closed, name, p) ||
			name != "" && !listed {
			continue
		}
		if name != "" && !redisstore.WasReopened(r.closed, name, p) {
			if _, err := r.Archive.Manifest(ctx, name, p); !errors.Is(err, archive.ErrNotFinal) {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		again = append(again, redisstore.LivePeriod{Board: name, Period: p})
	}
	return again, nil
}

// Lost says whether Redis lacks a status or an erasure that the table has: a failover has lost it.
// It changes nothing.
func Lost(ctx context.Context, o Options) (bool, error) {
	r := open(o)
	if _, err := r.expectStamp(ctx); err != nil {
		return false, err
	}
	erased, err := r.live.LostTombstones(ctx)
	if err != nil || len(erased) > 0 {
		return true, err
	}
	kept, err := r.statusPages(ctx)
	if err != nil {
		return true, err
	}
	users, err := r.live.OtherStatuses(ctx, kept)
	return len(users) > 0, err
}
