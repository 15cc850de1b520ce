package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/app"
	"laurel/shared/board"
	"laurel/shared/nightly"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves events until Lambda ends the process. It returns early only when
// the configuration is wrong.
func run(ctx context.Context) error {
	a, err := app.Function(app.NeedRedis, app.NeedTable)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	handle := handler(a.Nightly(time.Time{}), time.Now)
	lambda.StartHandlerFunc(handle, lambda.WithContext(ctx))
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
