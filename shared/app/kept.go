package app

import (
	"context"
	"log/slog"

	"laurel/shared/activity"
	"laurel/shared/archive"
	"laurel/shared/board"
	"laurel/shared/erasure"
	"laurel/shared/live"
	"laurel/shared/people"
)

// Kept is what a deployment keeps in its table beside Redis: the final boards, the
// articles that have left the lists, what users are called, and the erasures.
type Kept struct {
	Archive  *archive.Archive
	Articles *archive.Articles
	People   *people.People
	Eraser   *erasure.Eraser

	table archive.Store
}

// Keep wires what is in a table, beside a live store, of a forum with these rules.
func Keep(table archive.Store, store *live.Store, rules *activity.Rules, log *slog.Logger) *Kept {
	final, articles := archive.New(table), archive.NewArticles(table)
	names := &people.People{Table: archive.NewProfiles(table), Copies: store, Articles: store.Articles(), Log: log}
	return &Kept{
		Archive: final, Articles: articles, People: names, table: table,
		Eraser: erasure.New(erasure.Options{
			Live: store, Archive: final, People: names, Series: erasure.SeriesOf(rules),
			Articles: store.Articles(), FinalArticles: articles,
		}),
	}
}

// Erase begins to erase a user, or goes on, as a message asks for it that was sent at
// a moment. idle says that there is nothing left to do just now.
func (k *Kept) Erase(ctx context.Context, user string, sent board.Moment) (idle bool, err error) {
	state, err := k.Eraser.EraseAsked(ctx, user, sent)
	return err == nil && erasure.Idle(state), err
}
