package app

import (
	"context"
	"net/http"

	"laurel/shared/board"
	"laurel/shared/final"
	"laurel/shared/httpapi"
	"laurel/shared/queue"
)

// API returns the handler of parts of the API as a function serves them: to whom the
// authorizer has named, and through the CDN if there is one that has to be passed.
func (a *App) API(parts ...httpapi.Part) http.Handler {
	return httpapi.ThroughCDN(a.CDNSecret, httpapi.New(a.Requests(), parts...))
}

// Requests returns what the API works with.
func (a *App) Requests() httpapi.Options {
	return httpapi.Options{
		Records: a.Records, Recorder: a.Recorder, Articles: a.Recorder.Articles(), View: a.View, People: a.People,
		Finals: final.NewReader(a.Finals, a.Records, a.Calendar),
		Ledger: a.Ledger, Now: a.Clock, Log: a.Log, Metrics: a.Metrics,
		HotDays: a.HotDays, HotMonths: a.HotMonths, EmbedOrigins: a.EmbedOrigins, Hooks: a.Hooks,
		SignUser: a.Tokens.Signer(a.Clock), UserSecret: a.Tokens.UserSecret(),
	}
}

// Batches returns what the queue's batches are recorded with.
func (a *App) Batches() queue.Options {
	return queue.Options{
		Recorder: a.Recorder, Ledger: a.Ledger, Now: a.Clock, Log: a.Log, Metrics: a.Metrics, Producers: a.QueueProducers,
		Erase: func(ctx context.Context, user string, sent board.Moment) error {
			_, err := a.People.EraseAsked(ctx, user, sent)
			return err
		},
	}
}
