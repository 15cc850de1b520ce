package app

import (
	"context"
	"log/slog"
	"time"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/live"
	"laurel/shared/people"
	"laurel/shared/state"
)

// Kept is what a deployment keeps in its table beside Redis: the final boards, the
// articles that have left the lists, what users are called, the erasures, and the state
// that is not derived from activities.
type Kept struct {
	Archive  *archive.Archive
	Articles *archive.Articles
	People   *people.People
	Eraser   *erasure.Eraser
	State    *state.Store

	table archive.Store
}

// tombstonesFor is for how long tombstones of erasures are kept: a month longer than the
// journal, at most.
const tombstonesFor = 14 * 31 * 24 * time.Hour

// Keep wires what is in a table, beside a live store, of a forum with these rules. The
// live store writes there first from now on.
func Keep(
	table archive.Store, store *live.Store, rules *activity.Rules, log *slog.Logger, clock func() time.Time,
) *Kept {
	durable := state.New(table, clock)
	store.KeepIn(durable)
	final, articles := archive.New(table), archive.NewArticles(table)
	names := &people.People{Table: archive.NewProfiles(table), Copies: store, Articles: store.Articles(), Log: log}
	return &Kept{
		Archive: final, Articles: articles, People: names, State: durable, table: table,
		Eraser: erasure.New(erasure.Options{
			Live: store, Archive: final, People: names, Series: erasure.SeriesOf(rules),
			Articles: store.Articles(), FinalArticles: articles,
			Tombstone: func(ctx context.Context, user string) error {
				return durable.PutTombstone(ctx, user, board.MomentOf(clock()), tombstonesFor)
			},
		}),
	}
}

// Erase begins to erase a user, or goes on, as a message asks for it that was sent at
// a moment. idle says that there is nothing left to do just now.
func (k *Kept) Erase(ctx context.Context, user string, sent board.Moment) (idle bool, err error) {
	erased, err := k.Eraser.EraseAsked(ctx, user, sent)
	return err == nil && erasure.Idle(erased), err
}
