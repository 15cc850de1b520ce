package app

import (
	"context"
	"net/http"
	"time"

	"laurel/shared/board"
	"laurel/shared/httpapi"
	"laurel/shared/nightly"
	"laurel/shared/queue"
	"laurel/shared/recovery"
)

// API returns the handler of parts of the API as a function serves them: to whom the
// authorizer has named, and through the CDN if there is one that has to be passed.
func (a *App) API(parts ...httpapi.Part) http.Handler {
	return httpapi.ThroughCDN(a.CDNSecret, httpapi.New(a.Requests(), parts...))
}

// Requests returns what the API works with.
func (a *App) Requests() httpapi.Options {
	o := httpapi.Options{
		Store: a.Store, Ledger: a.Ledger, Now: a.Clock, Log: a.Log, Metrics: a.Metrics,
		HotDays: a.HotDays, HotMonths: a.HotMonths, EmbedOrigins: a.EmbedOrigins, Hooks: a.Hooks,
		SignUser: a.Tokens.Signer(a.Clock),
	}
	if k := a.Kept; k != nil {
		o.Archive, o.FinalArticles, o.People, o.Eraser = k.Archive, k.Articles, k.People, k.Eraser
		o.Export = k.Export
		if k.Stamps != nil {
			o.Stamps, o.Pending, o.Nights = k.Stamps, k.Journal, k
		}
	}
	return o
}

// Batches returns what the queue's batches are recorded with.
func (a *App) Batches() queue.Options {
	o := queue.Options{
		Store: a.Store, Ledger: a.Ledger, Now: a.Clock, Log: a.Log, Metrics: a.Metrics, Producers: a.QueueProducers,
	}
	if a.Kept != nil {
		o.Erase = a.Kept.Erase
		if a.Kept.Stamps != nil {
			o.Stamps, o.Pending = a.Kept.Stamps, a.Kept.Journal
		}
	}
	return o
}

// Nightly returns the run that moves what is due at a time into the archive, which has
// to be there.
func (a *App) Nightly(at time.Time) nightly.Options {
	return nightly.Options{
		Live: a.Store, Articles: a.Store.Articles(), Rules: a.Rules, Calendar: a.Calendar, Log: a.Log,
		Now:  board.MomentOf(at),
		Open: func(ctx context.Context) error { return recovery.OpenAgain(ctx, a.Recovery(at)) },
		Mend: func(ctx context.Context) (bool, error) {
			mended, err := recovery.Mend(ctx, a.Recovery(at))
			return mended != recovery.Mended{}, err
		},
		Lost:    func(ctx context.Context) (bool, error) { return recovery.Lost(ctx, a.Recovery(at)) },
		Archive: a.Kept.Archive, Erasures: a.Kept.Eraser, FinalArticles: a.Kept.Articles, Units: a.Kept.table.Units,
		Totals: a.Kept.State, Imports: a.Kept.State, Voids: a.Store,
		Refill: func(ctx context.Context, name string, p board.Period) error {
			return recovery.Refill(ctx, a.Recovery(at), name, p)
		},
		Journal: a.Kept.Journal, Merger: a.Store, State: a.Kept.State, JournalMonths: a.JournalMonths, Metrics: a.Metrics,
		HotDays: a.HotDays, HotMonths: a.HotMonths, ArchiveDays: a.ArchiveDays, ArchiveMonths: a.ArchiveMonths,
	}
}
