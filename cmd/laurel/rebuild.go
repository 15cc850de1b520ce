package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	done := rebuilt{Result: result}
	if c.All { // where a page was there, merging has not written what follows from it
		held, err := inspect(ctx, std, s.App, true)
		if err != nil {
			return errors.Join(std.show(done), err)
		}
		done.Audit = &held
	}
	if err := std.show(done); err != nil {
		return err
	}
	if done.Audit != nil && done.Audit.Unrepaired > 0 {
		return errFound
	}
	return nil
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

// rebuilt is what was filled, and with --all the audit after it.
type rebuilt struct {
	recovery.Result
	Audit *audited `json:"audit,omitempty"`
}

func (r rebuilt) write(out io.Writer) error {
	for _, period := range r.Opened {
		_, _ = fmt.Fprintf(out, "%s was closed and not archived: it is open again\n", period)
	}
	err := r.writeFilled(out)
	if r.Audit != nil {
		_, err = fmt.Fprintf(out, "audit: %s\n", summary(r.Audit.Totals))
	}
	return err
}

func (r rebuilt) writeFilled(out io.Writer) error {
	if r.Parts.None() {
		_, err := fmt.Fprintln(out, "nothing is missing")
		return err
	}
	_, err := fmt.Fprintf(out, "%s users, %s rows, %s articles, %s follow lists (%.2f s); Redis has %s\n",
		importer.Thousands(r.Users), importer.Thousands(r.Rows), importer.Thousands(r.Articles),
		importer.Thousands(r.Lists), r.Seconds, r.Stamp)
	return err
}
