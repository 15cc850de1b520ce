package recovery

import (
	"context"
	"errors"

	"laurel/shared/board"
	"laurel/shared/redisstore"
	"laurel/shared/state"
)

// saveReopenings saves the periods that are kept as reopened, and that one of these shards does
// not have so: a failover has lost what was put there. It is called before the shards get the
// set that is kept, which nobody could tell it from.
func (r *rebuild) saveReopenings(ctx context.Context, sets []*redisstore.ClosedSet) error {
	var lost *board.Closed
	for name, p := range r.closed.Periods() {
		of, _ := redisstore.IsMark(name)
		if of == "" || !redisstore.WasReopened(r.closed, of, p) || r.closed.Has(of, p) {
			continue
		}
		for _, set := range sets {
			if !set.Reopened(of, p) || set.Periods.Has(of, p) {
				lost = lost.With(of, p)
			}
		}
	}
	if lost == nil {
		return nil
	}
	return r.changeReopenings(ctx, func(saved *board.Closed) *board.Closed {
		for name, p := range lost.Periods() {
			saved = saved.With(name, p)
		}
		return saved
	})
}

// refillReopenings puts what the journal has of the periods that were saved into Redis again,
// and has the void targets carried out on it. It returns how many there were.
func (r *rebuild) refillReopenings(ctx context.Context) (periods int64, err error) {
	text, err := r.State.Cursor(ctx, state.CursorReopened)
	if err != nil || text == "" {
		return 0, err
	}
	saved, err := board.ParseClosed(text)
	if err != nil {
		return 0, err
	}
	for name, p := range saved.Periods() {
		err := Refill(ctx, r.Options, name, p)
		if err != nil && !errors.Is(err, redisstore.ErrNotReopening) { // a night has made it final since
			return periods, err
		}
		periods++
	}
	if err := r.live.PutVoids(ctx); err != nil {
		return periods, err
	}
	return periods, r.changeReopenings(ctx, func(now *board.Closed) *board.Closed {
		for name, p := range saved.Periods() {
			now = now.Without(name, p)
		}
		return now
	})
}

// changeReopenings changes the periods that are saved.
func (r *rebuild) changeReopenings(ctx context.Context, change func(*board.Closed) *board.Closed) error {
	return r.State.ChangeCursor(ctx, state.CursorReopened, func(text string) (string, error) {
		saved, err := board.ParseClosed(text)
		if err != nil {
			return "", err
		}
		return change(saved).String(), nil
	})
}
