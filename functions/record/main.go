package main

import (
	"context"
	"fmt"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/archive/table"
	"laurel/shared/config"
	"laurel/shared/function"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/gateway"
	"laurel/shared/queue"
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
	f, err := function.New(config.FromFunction())
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	requests := httpapi.Options{Store: f.Store, Ledger: f.Ledger, Now: time.Now, Log: f.Log, Metrics: f.Meter}
	batches := queue.Options{Store: f.Store, Ledger: f.Ledger, Now: time.Now, Log: f.Log, Metrics: f.Meter}
	if f.Archive.Table != "" {
		kept, err := table.New(table.From(f.Archive))
		if err != nil {
			return fmt.Errorf("record: %w", err)
		}
		v := vault.New(kept, f.Store, f.Rules, f.Log)
		requests.FinalArticles, requests.People, requests.Eraser, batches.Erase = v.Articles, v.People, v.Eraser, v.Erase
	}
	both := receiver{
		request: gateway.Handle(f.Handler(httpapi.New(requests, httpapi.Record))),
		batch:   queue.Handle(batches),
	}
	lambda.StartHandlerFunc(both.Handle, f.Lambda(ctx)...)
	return nil
}
