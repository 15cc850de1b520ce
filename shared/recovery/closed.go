package recovery

import (
	"context"
	"errors"
	"slices"

	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// closePeriods has Redis have the closed-period set that is kept, without what is to be
// open again. What the night had removed from Redis stays closed, as it is marked: a board
// that is final, expired or empty, or a month's pages, with all boards of that month. So
// does a board that has a manifest.
// Everything else opens: it was closed, and the night had not moved it yet, or had not
// again after it was reopened. The next night closes it again. So does a ledger's month
// whose pages the night had not removed; a board of it that is final stays as it is.
//
// A period that was being reopened is as it was before that.
func (r *rebuild) closePeriods(ctx context.Context) error {
	if err := r.readClosed(ctx); err != nil || r.stamped { // the night may be at work, and nothing of the set is lost
		return err
	}
	if len(r.lost.Shards) < r.Shards {
		if _, err := r.replayOpened(ctx, r.lost); err != nil {
			return err
		}
	}
	was := r.closed
	for name, p := range was.Periods() {
		stays, err := r.staysClosed(ctx, was, name, p)
		if err != nil {
			return err
		}
		if stays {
			continue
		}
		r.closed = redisstore.OpenedAgain(r.closed, name, p)
		if _, mark := redisstore.IsMark(name); !mark {
			r.result.Opened = append(r.result.Opened, redisstore.PeriodName(name, p))
		}
	}
	slices.Sort(r.result.Opened)
	return r.live.SetClosed(ctx, func(*board.Closed) *board.Closed { return r.closed })
}

// staysClosed says whether a period stays closed, or a mark of one stays.
func (r *rebuild) staysClosed(ctx context.Context, was *board.Closed, name string, p board.Period) (bool, error) {
	if _, mark := redisstore.IsMark(name); mark {
		return redisstore.MarkStays(was, name, p), nil
	}
	ofMonth := p.Window() == board.Month && redisstore.WasRemoved(was, "", p)
	if name == "" || ofMonth || redisstore.WasRemoved(was, name, p) {
		return ofMonth || name != "", nil
	}
	if redisstore.WasReopened(was, name, p) {
		return false, nil
	}
	_, err := r.Archive.Manifest(ctx, name, p)
	if errors.Is(err, archive.ErrNotFinal) {
		return false, nil
	}
	return err == nil, err
}
