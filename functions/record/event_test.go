package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
	"laurel/shared/queue"
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

// forum is the whole function on a store, at noon of 2026-11-20.
func forum(t *testing.T) receiver {
	t.Helper()
	f := harness.NewForum(t, harness.Setup{})
	f.QueueProducers = []string{"AROAFORUM"}
	return receiver{request: httpapi.Lambda(f.API(httpapi.Record)), batch: queue.Handle(f.Batches())}
}

// answerTo is the function's answer as the runtime sends it.
func answerTo(t *testing.T, f receiver, event string) string {
	t.Helper()
	answer, err := f.Handle(t.Context(), json.RawMessage(event))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Requests and batches come to the same function and the same boards; each gets
// an answer of its own kind, whoever comes at the same time.
func TestRequestsAndBatches(t *testing.T) {
	t.Parallel()
	f := forum(t)
	if got := answerTo(t, f, request); !strings.Contains(got, `"statusCode":200`) ||
		!strings.Contains(got, `\"status\":\"counted\"`) {
		t.Error(got)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := answerTo(t, f, batch); got != `{"batchItemFailures":[{"itemIdentifier":"2"}]}` {
				t.Error(got)
			}
		})
		all.Go(func() {
			if got := answerTo(t, f, request); !strings.Contains(got, `\"status\":\"duplicate\"`) ||
				!strings.Contains(got, `\"scores\":{\"day\":2,\"month\":2}`) {
				t.Error(got)
			}
		})
	}
	all.Wait()
	if got := answerTo(t, f, strings.ReplaceAll(batch, `"body":"like"`,
		`"body":"{\"action\":\"like\",\"user\":\"bob\",\"target\":\"a1\"}"`)); got != `{"batchItemFailures":[]}` {
		t.Error(got)
	}
}

// The way onto the queue is API Gateway's. A request that comes here all the same
// is told so; without claims it is told nothing.
func TestNoQueueBehindTheFunction(t *testing.T) {
	t.Parallel()
	f := forum(t)
	event := strings.ReplaceAll(request, "/v1/activities", "/v1/queue/activities")
	if got := answerTo(t, f, event); !strings.Contains(got, `"statusCode":501`) ||
		!strings.Contains(got, "API Gateway sends these requests to SQS") {
		t.Error(got)
	}
	if got := answerTo(t, f, strings.ReplaceAll(event, `"lambda"`, `"jwt"`)); !strings.Contains(got, `"statusCode":401`) {
		t.Error(got)
	}
}

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
