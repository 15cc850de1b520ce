// Command events is the Lambda function that sends what waits in the table to the addresses of the
// rules, each minute. It is outside the network, which has no way out, and reaches no cache.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/app"
	"laurel/shared/events"
)

func main() { app.Main(run) }

// run serves events of Lambda until that ends the process. It returns early only when the configuration is
// wrong.
func run(ctx context.Context) error {
	sender, err := app.EventFunction(app.EventSource(app.NeedTable))
	if err != nil {
		return fmt.Errorf("events: %w", err)
	}
	lambda.StartHandlerFunc(handler(sender), lambda.WithContext(ctx))
	return nil
}

// handler answers what became of what was to be sent, whatever asks for it. It is an error if the table
// cannot be read or written; what an address does is none.
func handler(s *events.Sender) func(context.Context, json.RawMessage) (events.Result, error) {
	return func(ctx context.Context, _ json.RawMessage) (events.Result, error) { return s.Run(ctx) }
}
