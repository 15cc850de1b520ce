package walk_test

import (
	"context"
	"fmt"

	"laurel/shared/core/board"
	"laurel/shared/core/ledger"
	"laurel/shared/store/view"
	"laurel/shared/store/view/memory"
)

// tripping is a view in memory, whose calls something happens to as to trips to a server.
type tripping struct {
	*memory.View
	*hook
}

// trip makes a call, which a process may not survive.
func trip[T any](v tripping, do func() (T, error)) (answer T, err error) {
	var own error
	err = v.Trip(func() error {
		answer, own = do()
		return nil
	})
	if err != nil {
		return *new(T), fmt.Errorf("%w: %w", view.ErrUnavailable, err)
	}
	return answer, own
}

// ShowAll is one call, as are those below.
func (v tripping) ShowAll(ctx context.Context, showing view.Showing) (view.Showed, error) {
	showed, err := trip(v, func() (view.Showed, error) { return v.View.ShowAll(ctx, showing) })
	if err != nil && showed.Units == nil {
		showed = view.Showed{
			Units: failed(showing.Units), Votes: failed(showing.Votes), Articles: failed(showing.Articles),
			Ranks: make([]int64, len(showing.Ranks)),
		}
	}
	return showed, err
}

func failed[T any](units []T) []view.ShowResult {
	results := make([]view.ShowResult, len(units))
	for i := range results {
		results[i] = view.ShowFailed
	}
	return results
}

func (v tripping) ReadAll(ctx context.Context, views []board.View) ([]board.Page, error) {
	return trip(v, func() ([]board.Page, error) { return v.View.ReadAll(ctx, views) })
}

func (v tripping) Markers(ctx context.Context) ([]view.Marker, error) {
	return trip(v, func() ([]view.Marker, error) { return v.View.Markers(ctx) })
}

func (v tripping) Clear(ctx context.Context, slot view.Slot, want view.Marker) error {
	_, err := trip(v, func() (bool, error) { return true, v.View.Clear(ctx, slot, want) })
	return err
}

func (v tripping) Advance(ctx context.Context, slot view.Slot, from, to string) (bool, error) {
	return trip(v, func() (bool, error) { return v.View.Advance(ctx, slot, from, to) })
}

func (v tripping) Mark(ctx context.Context, slot view.Slot, want view.Marker, fill string) (bool, error) {
	return trip(v, func() (bool, error) { return v.View.Mark(ctx, slot, want, fill) })
}

func (v tripping) SetDays(ctx context.Context, slot view.Slot, table string, was, now view.Rolling) (bool, error) {
	return trip(v, func() (bool, error) { return v.View.SetDays(ctx, slot, table, was, now) })
}

func (v tripping) Sweep(ctx context.Context, life *board.Life, beat int64) error {
	_, err := trip(v, func() (bool, error) { return true, v.View.Sweep(ctx, life, beat) })
	return err
}

func (v tripping) Users(ctx context.Context, users []string, places [][]ledger.Shown) ([]view.User, error) {
	return trip(v, func() ([]view.User, error) { return v.View.Users(ctx, users, places) })
}

func (v tripping) CheckTotals(ctx context.Context, name string, p board.Period, correct bool) (int64, error) {
	return trip(v, func() (int64, error) { return v.View.CheckTotals(ctx, name, p, correct) })
}

func (v tripping) SeenVotes(ctx context.Context, months []board.MonthOf, bucket int,
) (map[board.MonthOf]view.Seen, error) {
	return trip(v, func() (map[board.MonthOf]view.Seen, error) { return v.View.SeenVotes(ctx, months, bucket) })
}

var _ view.View = tripping{}
