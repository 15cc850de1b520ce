package app

import (
	"context"

	"laurel/shared/night"
	"laurel/shared/records"
)

// Nights returns what the ticks and the operators' commands of periods work with.
func (a *App) Nights() night.Options {
	return night.Options{
		Records: a.Records, Finals: a.Finals, Ledger: a.Ledger, View: a.View, Rules: digest(a.Rules),
		Compare: a.Recorder.Compare, Show: a.Recorder.ShowUser,
		Erasures: a.People.GoOn, Voids: a.voids, Trim: a.Recorder.Articles().Trim,
		Clock: a.Clock, Real: a.Real, Wait: a.Wait,
		HotDays: a.HotDays, HotMonths: a.HotMonths, LedgerMonths: a.LedgerMonths,
		ArchiveDays: a.ArchiveDays, ArchiveMonths: a.ArchiveMonths, Log: a.Log, Metrics: a.Metrics,
	}
}

// Tick does what has to be done every minute or few: what is final leaves the view, the view is
// compared with the table when it may lack something, and periods take their steps.
func (a *App) Tick(ctx context.Context) (night.Result, error) {
	return night.Tick(ctx, a.Nights())
}

func (a *App) voids(ctx context.Context) (records.Ongoing, error) {
	return a.Recorder.VoidPass(ctx, a.Wait)
}
