package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"laurel/shared/app"
	"laurel/shared/audit"
	"laurel/shared/importer"
	"laurel/shared/operate"
	"laurel/shared/recovery"
)

type rebuildCommand struct {
	All     bool `help:"Fill Redis although it has its stamp, as single keys were lost; articles answer 503 meanwhile."`
	Reshard bool `help:"Fill it into another number of shards, --shards, and remove what it has."`
	Empty   bool `help:"Remove what it has first: after the table was restored from a backup, and is the older of the two."`
	operatorFlags
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
	o, err := c.operatorOn(ctx, flags, c.open, "shards")
	if err != nil {
		return err
	}
	defer o.close()
	shards, _ := strconv.Atoi(flags["shards"]) // only a number was taken
	done, err := o.rebuild(ctx, std, operate.Rebuild{All: c.All, Reshard: c.Reshard, Empty: c.Empty, Shards: shards})
	if err != nil {
		return fmt.Errorf("%w; run it again, it goes on where it was", err)
	}
	if err := std.show(done); err != nil {
		return err
	}
	if done.Audit != nil && done.Audit.Unrepaired > 0 {
		return errFound
	}
	return nil
}

// open opens the stores, also those that were emptied or have another number of shards.
func (c rebuildCommand) open(ctx context.Context, flags given) (*stores, error) {
	settings, err := c.read(flags, app.NeedRedis, app.NeedArchive)
	if err != nil {
		return nil, err
	}
	adopt := adopt
	if c.Reshard {
		adopt = adoptZone
		if flags["shards"] == "" {
			return nil, usageError{textError("--shards is missing: the number of shards that --reshard makes")}
		}
	}
	return openAs(ctx, settings, app.Options{}, adopt)
}

// rebuild fills Redis and shows how far that is.
func (o *operator) rebuild(ctx context.Context, std streams, what operate.Rebuild) (done rebuilt, err error) {
	held := audited{Findings: []audit.Finding{}}
	var result operate.Rebuilt
	err = o.perform(ctx, std, performance{name: "rebuild", arguments: what, found: std.findings(&held.Findings)}, &result)
	if done.Result = result.Result; result.Audit != nil {
		held.Totals, held.Seconds = result.Audit.Totals, result.Audit.Seconds
		done.Audit = &held
	}
	return done, err
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
