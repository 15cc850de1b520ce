package main

import (
	"context"
	"encoding/json"
	"fmt"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/app"
	"laurel/shared/night"
	"laurel/shared/operate"
)

func main() { app.Main(run) }

// run serves events until Lambda ends the process. It returns early only when
// the configuration is wrong.
func run(ctx context.Context) error {
	a, err := app.Function(app.NeedRedis, app.NeedTable)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	handle := handler(a)
	lambda.StartHandlerFunc(handle, lambda.WithContext(ctx))
	return nil
}

// handler answers an event with what its run came to. What was left for want of
// time is in the result and no error; what failed is one, so that an alarm can tell.
func handler(a *app.App) func(context.Context, json.RawMessage) (any, error) {
	return func(ctx context.Context, event json.RawMessage) (any, error) {
		t, err := taskOf(event)
		if err != nil {
			return nil, err
		}
		switch t {
		case operates:
			return operate.Serve(ctx, a, event)
		case schedule:
			return a.Tick(ctx)
		default:
			return night.Run(ctx, a.Nights())
		}
	}
}
