package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/config"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/gateway"
	"laurel/shared/ledger"
	"laurel/shared/live"
	"laurel/shared/metrics"
	"laurel/shared/queue"
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
		return fmt.Errorf("record: %w", err)
	}
	client, err := live.Dial(c.RedisURL, c.RedisCluster)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	forum := ledger.New(c.Rules, c.Calendar)
	store := live.New(client, forum, c.Shards)
	log := slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: c.LogLevel}))
	meter := metrics.New(os.Stdout, c.MetricsNamespace, time.Now)
	live.CountTrips(client, func(ctx context.Context) { metrics.From(ctx).Trip() })
	f := function{
		request: gateway.Handle(httpapi.New(httpapi.Options{Store: store, Ledger: forum, Now: time.Now, Log: log, Metrics: meter}, httpapi.Record)),
		batch:   queue.Handle(queue.Options{Store: store, Ledger: forum, Now: time.Now, Log: log, Metrics: meter}),
	}
	lambda.StartHandlerFunc(f.Handle, lambda.WithContext(ctx), lambda.WithEnableSIGTERM(func() {
		_ = store.Close()
		os.Exit(0) // or Lambda waits, and kills
	}))
	return nil
}
