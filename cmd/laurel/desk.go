package main

import (
	"context"
	"log/slog"
	"time"

	"laurel/shared/board"
	"laurel/shared/config"
	"laurel/shared/live"
	"laurel/shared/localserver"
	"laurel/shared/nightly"
	"laurel/shared/vault"
)

// desk is what the commands work with that move periods: both stores, open.
type desk struct {
	settings config.Config
	store    *live.Store
	table    opened
	now      time.Time
}

// openDesk opens a Redis and an archive that keep what they are given.
func openDesk(ctx context.Context, at moment, forum forumFlags, redis redisFlags, flags archiveFlags) (*desk, error) {
	settings, err := load(forum, redis, flags)
	if err != nil {
		return nil, err
	}
	start, err := at.in(settings.Calendar)
	if err != nil {
		return nil, err
	}
	clock := localserver.Clock(start)
	_, _, store, err := open(settings)
	if err != nil {
		return nil, err
	}
	d := &desk{settings: settings, store: store, now: clock()}
	if err = store.Ping(ctx); err == nil {
		d.table, err = flags.openKept(ctx, settings.Archive, clock)
	}
	if err != nil {
		_ = store.Close()
		return nil, err
	}
	return d, nil
}

func (d *desk) close() {
	_ = d.table.close()
	_ = d.store.Close()
}

// nightly is a run at the desk's time.
func (d *desk) nightly() nightly.Options { return d.table.nightly(d.settings, d.store, d.now, nil) }

// vault is what the table keeps beside a store; a log is for what is passing.
func (o opened) vault(c config.Config, store *live.Store, log *slog.Logger) vault.Vault {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return vault.New(o.Store, store, c.Rules, log)
}

// nightly is a run that moves what is due at a time from a store into the archive.
func (o opened) nightly(c config.Config, store *live.Store, now time.Time, log *slog.Logger) nightly.Options {
	v := o.vault(c, store, log)
	return nightly.Options{
		Live: store, Archive: v.Archive, Erasures: v.Eraser, Articles: store.Articles(), FinalArticles: v.Articles, Log: log, Rules: c.Rules, Calendar: c.Calendar, Now: board.MomentOf(now), Units: o.Units,
		HotDays: c.Archive.HotDays, HotMonths: c.Archive.HotMonths, ArchiveDays: c.Archive.Days, ArchiveMonths: c.Archive.Months,
	}
}
