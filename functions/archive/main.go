// Command archive is the Lambda function for work in the background: EventBridge Scheduler starts it every few
// minutes for a tick (package night), which compares the view with the table where that is needed and takes the due
// steps of periods. It also does operators' commands, in slices (package operate).
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/forum/night"
	"laurel/shared/run/app"
	"laurel/shared/run/operate"
)

func main() {
	a, err := app.Function()
	app.Require("archive", err)
	lambda.StartHandlerFunc(handler(a))
}

// handler answers an event with the result of its run. Work that was left for lack of time is in the result and no
// error; a failure is one, so that an alarm can tell.
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

// errEvent is wrapped by every error about an event: nothing was done.
var errEvent = errors.New(
	`archive: the event is not {}, {"task":"schedule"} or one with "operation"`)

// A task is the work that an event asks for.
type task string

const (
	nightly  task = ""         // a nightly run, now: {}
	schedule task = "schedule" // a tick
	operates task = "operate"  // a slice of an operator's command
)

// taskOf reads an event.
func taskOf(event []byte) (task, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(event, &fields); err != nil {
		return nightly, fmt.Errorf("%w: %w", errEvent, err)
	}
	if _, given := fields["operation"]; given {
		return operates, nil
	}
	value, given := fields["task"]
	delete(fields, "task")
	for name := range fields {
		return nightly, fmt.Errorf("%w: %q is unknown", errEvent, name)
	}
	if !given && fields != nil {
		return nightly, nil
	}
	var name task
	if err := json.Unmarshal(value, &name); err != nil || name != schedule {
		return nightly, fmt.Errorf("%w: task %.40s is unknown", errEvent, value)
	}
	return name, nil
}
