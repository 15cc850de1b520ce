// Package vault puts together what a deployment keeps in its table beside Redis: the
// final boards, the articles that have left the lists, what users are called, and the erasures. It connects to nothing, and
// decides nothing: it is the one place that says which part works on which store.
package vault

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

// A Vault is what is kept in a table.
type Vault struct {
	Archive  *archive.Archive
	Articles *archive.Articles
	People   *people.People
	Eraser   *erasure.Eraser
}

// New returns the vault in a table, beside a live store, of a forum with these rules.
func New(table archive.Store, store *live.Store, rules *activity.Rules, log *slog.Logger) Vault {
	final, articles := archive.New(table), archive.NewArticles(table)
	names := &people.People{Table: archive.NewProfiles(table), Copies: store, Articles: store.Articles(), Log: log}
	return Vault{
		Archive: final, Articles: articles, People: names,
		Eraser: erasure.New(erasure.Options{
			Live: store, Archive: final, People: names, Series: erasure.SeriesOf(rules), Articles: store.Articles(), FinalArticles: articles,
		}),
	}
}

// Erase begins to erase a user, or goes on, and says whether there is nothing left to
// do just now: as the queue asks for it by a message that was sent at a moment.
func (v Vault) Erase(ctx context.Context, user string, sent board.Moment) (idle bool, err error) {
	state, err := v.Eraser.EraseAsked(ctx, user, sent)
	return err == nil && erasure.Idle(state), err
}
