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
		return fmt.Errorf("query: %w", err)
	}
	options := httpapi.Options{
		Store: f.Store, Ledger: f.Ledger, Now: time.Now, Log: f.Log, Metrics: f.Meter,
		HotDays: f.Archive.HotDays, HotMonths: f.Archive.HotMonths,
	}
	if f.Archive.Table != "" {
		kept, err := table.New(table.From(f.Archive))
		if err != nil {
			return fmt.Errorf("query: %w", err)
		}
		v := vault.New(kept, f.Store, f.Rules, f.Log)
		options.Archive, options.FinalArticles, options.People, options.Eraser = v.Archive, v.Articles, v.People, v.Eraser
	}
	handler := f.Handler(httpapi.New(options, httpapi.Query))
	lambda.StartHandlerFunc(gateway.Handle(handler), f.Lambda(ctx)...)
	return nil
}
