package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/archive"
	"laurel/shared/archive/table"
	"laurel/shared/config"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/gateway"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/metrics"
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
	c, err := config.FromFunction()
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	client, err := live.Dial(c.RedisURL, c.RedisCluster)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	forum := ledger.New(c.Rules, c.Calendar)
	store := live.New(client, forum, c.Shards)
	log := slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: c.LogLevel}))
	live.CountTrips(client, func(ctx context.Context) { metrics.From(ctx).Trip() })
	options := httpapi.Options{
		Store: store, Ledger: forum, Now: time.Now, Log: log, HotDays: c.Archive.HotDays, HotMonths: c.Archive.HotMonths,
		Metrics: metrics.New(os.Stdout, c.MetricsNamespace, time.Now),
	}
	if c.Archive.Table != "" {
		kept, err := table.New(table.From(c.Archive))
		if err != nil {
			return fmt.Errorf("query: %w", err)
		}
		options.Archive = archive.New(kept)
	}
	handler := httpapi.New(options, httpapi.Query)
	lambda.StartHandlerFunc(gateway.Handle(handler), lambda.WithContext(ctx), lambda.WithEnableSIGTERM(func() {
		_ = store.Close()
		os.Exit(0) // or Lambda waits, and kills
	}))
	return nil
}
