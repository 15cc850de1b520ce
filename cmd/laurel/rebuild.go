package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"laurel/shared/app"
	"laurel/shared/importer"
	"laurel/shared/operate"
	"laurel/shared/record"
)

type rebuildCommand struct {
	All     bool `help:"Compare the scores themselves, as single keys were lost."`
	Reshard bool `help:"Fill it into another number of shards, --shards, and remove what it has."`
	Empty   bool `help:"Empty it first: after the table was restored from a backup, and is the older of the two."`
	operatorFlags
}

// Help is what the command's help says beside its flags.
func (rebuildCommand) Help() string {
	return `Fills a Redis that was emptied, whole or in part, from the table, and brings it to what the ledgers say where
it lacks something. Where nothing is missing it does nothing. Ticks do this by themselves. It can be interrupted
and run again at any time, beside writers, too.

  laurel rebuild --redis redis://localhost:6379 --dynamodb http://localhost:8000`
}

// Run fills Redis.
func (c rebuildCommand) Run(ctx context.Context, std streams, flags given) error {
	o, err := c.operatorOn(ctx, std, flags, c.open, "shards")
	if err != nil {
		return err
	}
	defer o.close()
	shards, _ := strconv.Atoi(flags["shards"]) // only a number was taken
	what := operate.Rebuild{All: c.All, Reshard: c.Reshard, Empty: c.Empty, Shards: shards}
	var done rebuilt
	if err := o.perform(ctx, std, performance{name: "rebuild", arguments: what}, &done.Compared); err != nil {
		return fmt.Errorf("%w; run it again, it goes on where it was", err)
	}
	return std.show(done)
}

// open opens the stores, also those that have another number of shards.
func (c rebuildCommand) open(ctx context.Context, std streams, flags given) (*stores, error) {
	if c.Reshard && flags["shards"] == "" {
		return nil, usageError{textError("--shards is missing: the number of shards that --reshard makes")}
	}
	s, _, err := c.openWith(ctx, flags, app.Options{Reshard: c.Reshard, Wait: std.pace.step}, used)
	return s, err
}

// rebuilt is what was filled.
type rebuilt struct{ record.Compared }

func (r rebuilt) write(out io.Writer) error {
	if r.Filled == 0 && r.Shown == 0 {
		_, err := fmt.Fprintf(out, "%s people: nothing is missing\n", importer.Thousands(r.People))
		return err
	}
	_, err := fmt.Fprintf(out, "%s people: %s shown, %d parts filled\n", importer.Thousands(r.People),
		importer.Thousands(r.Shown), r.Filled)
	return err
}
