// Command record is the Lambda function for all requests that write, from API Gateway and from the queue.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	_ "time/tzdata" // Lambda has no zones of its own

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"laurel/shared/api/httpapi"
	"laurel/shared/api/queue"
	"laurel/shared/run/app"
)

func main() {
	a, err := app.Function()
	app.Require("record", err)
	both := receiver{request: httpapi.Lambda(a.API(httpapi.Record)), batch: queue.Handle(a.Batches())}
	lambda.StartHandlerFunc(both.Handle)
}

// errEvent is wrapped by every error about an event: nothing was done.
var errEvent = errors.New(
	"record: the event is neither a request of an HTTP API, payload 2.0, nor a batch of SQS messages")

const (
	maxNames   = 12               // of an event's fields that an error names
	forRequest = 10 * time.Second // a request waits for stores; the function's timeout is for batches
)

// receiver answers the function's events: requests and batches. It may be called by many at once.
type receiver struct {
	request httpapi.LambdaFunction
	batch   queue.Function
}

// Handle tells the events apart and answers them: a request with a response, a batch with its failures, any other
// event with an error that names it.
func (f receiver) Handle(ctx context.Context, raw json.RawMessage) (any, error) {
	var e struct { // decoded once for both
		events.APIGatewayV2HTTPRequest
		events.SQSEvent
	}
	err := json.Unmarshal(raw, &e)
	isRequest := e.Version == "2.0" && e.RequestContext.HTTP.Method != ""
	foreign := func(m events.SQSMessage) bool { return m.EventSource != "aws:sqs" }
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w: %s", errEvent, err, fieldsOf(raw))
	case isRequest && len(e.Records) == 0:
		soon, cancel := context.WithTimeout(ctx, forRequest)
		defer cancel()
		return f.request(soon, e.APIGatewayV2HTTPRequest)
	case !isRequest && len(e.Records) > 0 && !slices.ContainsFunc(e.Records, foreign):
		early, cancel := httpapi.WithReserve(ctx) // as a request's
		defer cancel()
		return f.batch(early, e.SQSEvent)
	default:
		return nil, fmt.Errorf("%w: %s", errEvent, fieldsOf(raw))
	}
}

// fieldsOf names the fields of an event, or the kind of a value that is no object: its values are not for a log.
func fieldsOf(raw json.RawMessage) string {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return "no object"
	}
	names := slices.Sorted(maps.Keys(fields))
	return fmt.Sprintf("fields %.60q of %d", names[:min(len(names), maxNames)], len(names))
}
