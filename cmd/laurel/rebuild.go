package main

import (
	"context"
	"fmt"
	"sync/atomic"

	"laurel/shared/app"
	"laurel/shared/importer"
	"laurel/shared/recovery"
)

type rebuildCommand struct {
	All     bool `help:"Fill Redis although it has its stamp, as single keys were lost; articles answer 503 meanwhile."`
	Reshard bool `help:"Fill it into another number of shards, --shards, and remove what it has."`
	Empty   bool `help:"Remove what it has first: after the table was restored from a backup, and is the older of the two."`
	settingFlags
}

// Help is what the command's help says beside its flags.
func (rebuildCommand) Help() string {
	return `Fills a Redis that was emptied, whole or in part, from the table: what was accepted, articles, follow lists,
who is hidden or excluded, and what is final. Where nothing is missing it does nothing. In AWS the function
archive does this by itself within five minutes. It can be interrupted and run again at any time.

  laurel rebuild --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run fills Redis.
func (c rebuildCommand) Run(ctx context.Context, std streams, flags given) error {
	settings, err := c.read(flags, app.NeedRedis, app.NeedArchive)
	if err != nil {
		return err
	}
	adopt := adopt
	if c.Reshard {
		adopt = adoptZone
		if flags["shards"] == "" {
			return usageError{textError("--shards is missing: the number of shards that --reshard makes")}
		}
	}
	s, err := openAs(ctx, settings, app.Options{}, adopt)
	if err != nil {
		return err
	}
	defer s.close()
	o := s.Recovery(s.Clock())
	o.All, o.Reshard, o.Empty = c.All, c.Reshard, c.Empty
	result, err := fill(ctx, std, o)
	if err != nil {
		return fmt.Errorf("%w; run it again, it goes on where it was", err)
	}
	if err := writeRebuilt(std, result); err != nil || !c.All {
		return err
	}
	return mend(ctx, std, s.App)
}

// mend makes boards and indexes what the users' pages say: where a page was there, merging
// has not written what follows from it.
func mend(ctx context.Context, std streams, a *app.App) error {
	totals, err := inspect(ctx, std, a, true)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(std.out, "audit: %s\n", summary(totals)); err == nil && totals.Unrepaired > 0 {
		return errFound
	}
	return err
}

// fill fills Redis and shows how far that is.
func fill(ctx context.Context, std streams, o recovery.Options) (recovery.Result, error) {
	var done atomic.Int64
	o.Progress = func(p recovery.Progress) {
		if p.Step == "rows" {
			done.Store(p.Done)
		}
	}
	stop := watch(std.err, work{Name: "rebuild", Unit: "rows", Done: done.Load, Count: done.Load})
	defer stop()
	return recovery.Rebuild(ctx, o)
}

func writeRebuilt(std streams, r recovery.Result) error {
	if r.Parts.None() {
		_, err := fmt.Fprintln(std.out, "nothing is missing")
		return err
	}
	for _, period := range r.Opened {
		_, _ = fmt.Fprintf(std.out, "%s was closed and not archived: it is open again\n", period)
	}
	_, err := fmt.Fprintf(std.out, "%s users, %s rows, %s articles, %s follow lists (%.2f s); Redis has %s\n",
		importer.Thousands(r.Users), importer.Thousands(r.Rows), importer.Thousands(r.Articles),
		importer.Thousands(r.Lists), r.Seconds, r.Stamp)
	return err
}
