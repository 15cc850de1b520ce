package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/shared/httpapi"
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

// stub is a function that only says which way an event went.
func stub(went *string) receiver {
	return receiver{
		request: func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			*went = "request"
			return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusOK}, nil
		},
		batch: func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
			*went = "batch"
			return events.SQSEventResponse{}, nil
		},
	}
}

// A batch gives up before the function ends, as a request does.
func TestABatchEndsBeforeTheFunction(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	end, _ := ctx.Deadline()
	f := receiver{batch: func(ctx context.Context, _ events.SQSEvent) (events.SQSEventResponse, error) {
		if at, ok := ctx.Deadline(); !ok || end.Sub(at) < httpapi.Reserve {
			t.Errorf("the batch has until %s, the function until %s", at, end)
		}
		return events.SQSEventResponse{}, nil
	}}
	if _, err := f.Handle(ctx, json.RawMessage(batch)); err != nil {
		t.Error(err)
	}
}

// A request does not have the time that a batch has.
func TestARequestWaitsTenSeconds(t *testing.T) {
	t.Parallel()
	f := receiver{request: func(
		ctx context.Context, _ events.APIGatewayV2HTTPRequest,
	) (events.APIGatewayV2HTTPResponse, error) {
		if at, ok := ctx.Deadline(); !ok || time.Until(at) > 10*time.Second {
			t.Errorf("the request has until %s", at)
		}
		return events.APIGatewayV2HTTPResponse{}, nil
	}}
	if _, err := f.Handle(t.Context(), json.RawMessage(request)); err != nil {
		t.Error(err)
	}
}

// What is neither is refused, by the names of what came and none of its values.
func TestOtherEvents(t *testing.T) {
	t.Parallel()
	for event, want := range map[string]string{
		``:         "no object",
		`null`:     "no object",
		`[]`:       "no object",
		`"secret"`: "no object",
		`{}`:       `fields []`,
		`{"detail-type":"secret","source":"secret"}`: `fields ["detail-type" "source"]`,
		`{"Records":[]}`: `fields ["Records"]`,
		`{"Records":[{"EventSource":"aws:sns","Sns":{"Message":"secret"}}]}`: `records of "aws:sns", fields ["Records"]`,
		`{"Records":[{"eventSource":"aws:sqs"},{"eventSource":"aws:kinesis"}]}`: `records of "aws:sqs",` +
			` records of "aws:kinesis", fields ["Records"]`,
		`{"Records":"secret"}`: `fields ["Records"]`,
		`{"version":"1.0","httpMethod":"POST","path":"/v1/activities",` +
			`"requestContext":{}}`: `version "1.0", fields ["httpMethod" "path" "requestContext" "version"]`,
		`{"version":"2.0","rawPath":"x","requestContext":{"http":{}}}`: `version "2.0", ` +
			`fields ["rawPath" "requestContext" "version"]`,
		`{"requestContext":{"http":{"method":"POST"}}}`: `fields ["requestContext"]`,
		`{"version":"2.0","requestContext":{"http":{"method":"GET"}},` +
			`"Records":[{"eventSource":"aws:s3"}]}`: `version "2.0", records of "aws:s3",` +
			` fields ["Records" "requestContext" "version"]`,
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1,"k":1,"l":1,"m":1,` +
			`"n":1}`: `fields ["a" "b" "c" "d" "e" "f" "g" "h" "i" "j" "k" "l"] and 2 more`,
	} {
		went := ""
		_, err := stub(&went).Handle(t.Context(), json.RawMessage(event))
		if !errors.Is(err, errEvent) || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "secret") ||
			went != "" {
			t.Errorf("%s went to %q: %v", event, went, err)
		}
	}
	for event, want := range map[string]string{request: "request", batch: "batch"} {
		went := ""
		if _, err := stub(&went).Handle(t.Context(), json.RawMessage(event)); err != nil || went != want {
			t.Errorf("%s went to %q: %v", event, went, err)
		}
	}
}

// Whatever comes goes one way or none, and what goes one way is of that kind.
func FuzzEvent(f *testing.F) {
	for _, seed := range []string{
		request, batch, `{}`, `{"Records":[{"eventSource":"aws:sns"}]}`,
		`{"version":"2.0","records":[{}]}`, `[`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		went := ""
		_, err := stub(&went).Handle(t.Context(), raw)
		if (err == nil) != (went != "") || (err != nil && !errors.Is(err, errEvent)) {
			t.Fatalf("%q went to %q: %v", raw, went, err)
		}
		if err != nil && len(err.Error()) > 2000 {
			t.Errorf("%q: an error of %d bytes", raw, len(err.Error()))
		}
		var e event
		if json.Unmarshal(raw, &e) != nil && went != "" {
			t.Errorf("%q is not readable and went to %q", raw, went)
		}
		if diff := cmp.Diff(went == "batch", e.isBatch() && !e.isRequest()); went != "" && diff != "" {
			t.Errorf("%q went to %q", raw, went)
		}
	})
}
