package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/shared/api/httpapi"
)

const (
	request = `{"version":"2.0","routeKey":"POST /v1/activities","rawPath":"/v1/activities",` +
		`"headers":{"content-type":"application/json"},` +
		`"requestContext":{"http":{"method":"POST","path":"/v1/activities"},"stage":"$default",` +
		`"authorizer":{"lambda":{"caller":"user.YW5u"}}},` +
		`"body":"{\"activities\":[{\"action\":\"like\",\"target\":\"a1\"}]}","isBase64Encoded":false}`
	batch = `{"Records":[{"messageId":"1","body":"{\"action\":\"like\",\"target\":\"a1\"}",` +
		`"attributes":{"SentTimestamp":"1795176000000"},` +
		`"messageAttributes":{"sub":{"stringValue":"ann","dataType":"String","stringListValues":[],` +
		`"binaryListValues":[]}},"eventSource":"aws:sqs"},` +
		`{"messageId":"2","body":"like","attributes":` +
		`{"SenderId":"AROAFORUM:x","SentTimestamp":"1795176000000"},"messageAttributes":{},` +
		`"eventSource":"aws:sqs"}]}`
)

// A batch ends before the function ends. So does a request, whose time is shorter.
func TestEventsEndBeforeTheFunction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	end, _ := ctx.Deadline()
	f := receiver{
		batch: func(ctx context.Context, _ events.SQSEvent) (events.SQSEventResponse, error) {
			if deadline, ok := ctx.Deadline(); !ok || end.Sub(deadline) < httpapi.Reserve {
				t.Errorf("the batch has until %s, the function until %s", deadline, end)
			}
			return events.SQSEventResponse{}, nil
		},
		request: func(ctx context.Context, _ events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > 10*time.Second {
				t.Errorf("the request has until %s", deadline)
			}
			return events.APIGatewayV2HTTPResponse{}, nil
		},
	}
	for _, event := range []string{batch, request} {
		if _, err := f.Handle(ctx, json.RawMessage(event)); err != nil {
			t.Error(err)
		}
	}
}

// An event reaches its handler, and any other is refused, by the names of its fields and none of its values.
func TestEvents(t *testing.T) {
	t.Parallel()
	var went string
	f := receiver{
		request: func(context.Context, events.APIGatewayV2HTTPRequest) (a events.APIGatewayV2HTTPResponse, err error) {
			went = "request"
			return a, nil
		},
		batch: func(context.Context, events.SQSEvent) (a events.SQSEventResponse, err error) {
			went = "batch"
			return a, nil
		},
	}
	for _, c := range [][2]string{
		{request, "request"},
		{batch, "batch"},
		{``, "no object"},
		{`null`, "no object"},
		{`[]`, "no object"},
		{`"secret"`, "no object"},
		{`{}`, `fields [] of 0`},
		{`{"detail-type":"secret","source":"secret"}`, `fields ["detail-type" "source"] of 2`},
		{`{"Records":[]}`, `fields ["Records"] of 1`},
		{`{"Records":"secret"}`, `fields ["Records"] of 1`},
		{`{"Records":[{"EventSource":"aws:sns","Sns":{"Message":"secret"}}]}`, `fields ["Records"] of 1`},
		{`{"Records":[{"eventSource":"aws:sqs"},{"eventSource":"aws:kinesis"}]}`, `fields ["Records"] of 1`},
		{`{"version":"1.0","requestContext":{}}`, `fields ["requestContext" "version"] of 2`},
		{`{"version":"2.0","requestContext":{"http":{}}}`, `fields ["requestContext" "version"] of 2`},
		{`{"requestContext":{"http":{"method":"POST"}}}`, `fields ["requestContext"] of 1`},
		{
			`{"version":"2.0","requestContext":{"http":{"method":"GET"}},"Records":[{"eventSource":"aws:s3"}]}`,
			`fields ["Records" "requestContext" "version"] of 3`,
		},
		{
			`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,"n":1}`,
			`fields ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l"] of 14`,
		},
	} {
		event, want := c[0], c[1]
		went = ""
		_, err := f.Handle(t.Context(), json.RawMessage(event))
		if went != "" && (err != nil || went != want) {
			t.Errorf("%s went to %q: %v", event, went, err)
		}
		if went == "" && (!errors.Is(err, errEvent) || !strings.HasSuffix(err.Error(), want) ||
			strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", event, err)
		}
	}
}
