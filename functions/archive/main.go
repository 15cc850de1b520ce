package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/archive/table"
	"laurel/shared/board"
	"laurel/shared/config"
	"laurel/shared/function"
	"laurel/shared/nightly"
	"laurel/shared/vault"
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
	f, err := function.New(config.FromNightly())
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	kept, err := table.New(table.From(f.Archive))
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	v := vault.New(kept, f.Store, f.Rules, f.Log)
	handle := handler(nightly.Options{
		Live: f.Store, Archive: v.Archive, Erasures: v.Eraser, Articles: f.Store.Articles(), FinalArticles: v.Articles, Rules: f.Rules, Calendar: f.Calendar,
		HotDays: f.Archive.HotDays, HotMonths: f.Archive.HotMonths, ArchiveDays: f.Archive.Days, ArchiveMonths: f.Archive.Months,
		Units: kept.Units, Log: f.Log,
	}, time.Now)
	lambda.StartHandlerFunc(handle, f.Lambda(ctx)...)
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
