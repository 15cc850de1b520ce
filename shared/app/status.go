package app

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/nightly"
	"laurel/shared/state"
)

// LastNight returns the last day whose night was complete, and since when the journal is kept; 0
// for what is not known.
func (k *Kept) LastNight(ctx context.Context) (day board.Date, since board.Moment, err error) {
	if since, err = k.State.Begun(ctx); err != nil {
		return 0, 0, err
	}
	text, err := k.State.Cursor(ctx, state.CursorNights)
	return nightly.ParseNights(text).Complete, since, err
}
