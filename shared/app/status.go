package app

import (
	"context"

	"laurel/shared/board"
	"laurel/shared/journal"
)

// sealsSought is the number of days before today among which the last night is looked for.
const sealsSought = 40

// LastNight returns the day of the last nightly run that has sealed the journal, and since when
// the journal is kept; 0 for what is not known.
func (k *Kept) LastNight(ctx context.Context) (day board.Date, since board.Moment, err error) {
	if since, err = k.State.Begun(ctx); err != nil {
		return 0, 0, err
	}
	today := journal.DayOf(board.MomentOf(k.clock()))
	sealed, err := k.Journal.SealedDays(ctx, today-sealsSought, today)
	if err != nil || len(sealed) == 0 {
		return 0, since, err
	}
	return sealed[len(sealed)-1].Day + 1, since, nil // a night seals the day before
}
