package main

import (
	"context"
	"fmt"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/config"
	"laurel/shared/function"
	"laurel/shared/httpapi"
	"laurel/shared/httpapi/gateway"
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
	f, err := function.New(config.FromFunction())
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	handler := f.Handler(httpapi.New(httpapi.Options{
		Store: f.Store, Ledger: f.Ledger, Now: time.Now, Log: f.Log, Metrics: f.Meter,
	}, httpapi.Record))
	both := receiver{
		request: gateway.Handle(handler),
		batch:   queue.Handle(queue.Options{Store: f.Store, Ledger: f.Ledger, Now: time.Now, Log: f.Log, Metrics: f.Meter}),
	}
	lambda.StartHandlerFunc(both.Handle, f.Lambda(ctx)...)
	return nil
}
