package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/archive"
	"laurel/shared/archive/table"
	"laurel/shared/board"
	"laurel/shared/config"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/nightly"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves events until Lambda ends the process. It returns early only when
// the environment is at fault.
func run(ctx context.Context) error {
	c, err := config.FromNightly()
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	client, err := live.Dial(c.RedisURL, c.RedisCluster)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	kept, err := table.New(table.From(c.Archive))
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	store := live.New(client, ledger.New(c.Rules, c.Calendar), c.Shards)
	handle := handler(nightly.Options{
		Live: store, Archive: archive.New(kept), Rules: c.Rules, Calendar: c.Calendar,
		HotDays: c.Archive.HotDays, HotMonths: c.Archive.HotMonths, ArchiveDays: c.Archive.Days, ArchiveMonths: c.Archive.Months,
		Units: kept.Units, Log: slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: c.LogLevel})),
	}, time.Now)
	lambda.StartHandlerFunc(handle, lambda.WithContext(ctx), lambda.WithEnableSIGTERM(func() {
		_ = store.Close()
		os.Exit(0) // or Lambda waits, and kills
	}))
	return nil
}

// handler answers an event with what its run came to. What was left for want of
// time is in the result and no error; what failed is one, so that the schedule
// tries again and an alarm can tell.
func handler(o nightly.Options, now func() time.Time) func(context.Context, json.RawMessage) (nightly.Result, error) {
	return func(ctx context.Context, event json.RawMessage) (nightly.Result, error) {
		at, err := momentOf(event, now())
		if err != nil {
			return nightly.Result{}, err
		}
		run := o
		run.Now = board.MomentOf(at)
		return nightly.Run(ctx, run)
	}
}
