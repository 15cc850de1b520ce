package dynamo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
)

// A faultyTransport is between a client and the server, as the Transport of a table's
// options, and makes DynamoDB's faults, each at random with a probability from 0 to 1.
type faultyTransport struct {
	Throttled   float64 // a request is refused, in one of DynamoDB's ways
	Broken      float64 // a request is answered with an internal error and not carried out
	Lost        float64 // a request is carried out and answered with an internal error
	Unprocessed float64 // a key or an item of a batch is left unprocessed
	Spared      int64   // every so-manieth request has no fault, so that faults end; 0: none

	requests, refused, left atomic.Int64
}

// Counts returns the number of requests, of those that were refused or lost, and of keys
// and items of batches that were left.
func (f *faultyTransport) Counts() (requests, refused, left int64) {
	return f.requests.Load(), f.refused.Load(), f.left.Load()
}

// RoundTrip forwards a request or injects a fault.
func (f *faultyTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if n := f.requests.Add(1); f.Spared > 0 && n%f.Spared == 0 {
		return http.DefaultTransport.RoundTrip(request)
	}
	throttled := []string{"ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded"}
	switch {
	case happens(f.Throttled):
		return f.refuse(request, http.StatusBadRequest, throttled[rand.IntN(len(throttled))]), nil
	case happens(f.Broken):
		return f.refuse(request, http.StatusInternalServerError, "InternalServerError"), nil
	}
	response, err := f.forward(request)
	if err == nil && happens(f.Lost) {
		return f.refuse(request, http.StatusServiceUnavailable, "ServiceUnavailable"), response.Body.Close()
	}
	return response, err
}

func happens(probability float64) bool { return probability > 0 && rand.Float64() < probability }

func (f *faultyTransport) refuse(request *http.Request, status int, kind string) *http.Response {
	f.refused.Add(1)
	if request.Body != nil {
		_ = request.Body.Close()
	}
	const format = `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"made by a test"}`
	return answer(request, status, fmt.Appendf(nil, format, kind))
}

// forward passes a request on; of a batch only a part, and the rest is left.
func (f *faultyTransport) forward(request *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	if f.Unprocessed == 0 || !strings.HasPrefix(operation, "Batch") {
		return http.DefaultTransport.RoundTrip(request)
	}
	var asked map[string]any
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		return nil, err
	}
	list, with := batchOf(asked)
	places, passed, left := []int{}, []any{}, []any{}
	for i, item := range list {
		if happens(f.Unprocessed) {
			left = append(left, item)
		} else {
			places, passed = append(places, i), append(passed, item)
		}
	}
	f.left.Add(int64(len(left)))
	answered := map[string]any{}
	if len(passed) > 0 {
		response, err := http.DefaultTransport.RoundTrip(withBody(request, encoded(with(passed))))
		if err != nil || response.StatusCode != http.StatusOK {
			return response, err
		}
		defer func() { _ = response.Body.Close() }()
		if err := json.NewDecoder(response.Body).Decode(&answered); err != nil {
			return nil, err
		}
	}
	switch {
	case operation == "BatchExecuteStatement":
		responses, _ := answered["Responses"].([]any)
		answered["Responses"] = f.statements(len(list), places, responses)
	case len(left) > 0:
		field := map[string]string{"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}[operation]
		answered[field] = with(left)["RequestItems"]
	}
	return answer(request, http.StatusOK, encoded(answered)), nil
}

// batchOf returns the parts of a batch, and a function that makes the batch of other parts.
func batchOf(asked map[string]any) (list []any, with func([]any) map[string]any) {
	for name, part := range asked {
		if name == "Statements" {
			return part.([]any), func(l []any) map[string]any { return map[string]any{name: l} }
		}
		for table, requests := range part.(map[string]any) { // the only one
			keys, isRead := requests.(map[string]any)
			if !isRead {
				return requests.([]any), func(l []any) map[string]any { return map[string]any{name: map[string]any{table: l}} }
			}
			return keys["Keys"].([]any), func(l []any) map[string]any {
				return map[string]any{name: map[string]any{table: map[string]any{
					"Keys": l, "ConsistentRead": keys["ConsistentRead"],
				}}}
			}
		}
	}
	return nil, nil
}

// statements returns the answers to n statements, of which some were passed on: to the others, and to some
// that were carried out, these are errors.
func (f *faultyTransport) statements(n int, places []int, passed []any) []any {
	answers := make([]any, n)
	failed := func(code, message string) any {
		return map[string]any{"Error": map[string]any{"Code": code, "Message": message}}
	}
	for i := range answers {
		code := []string{"ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"}[rand.IntN(3)]
		answers[i] = failed(code, "unprocessed, made by a test")
	}
	for i, place := range places {
		if answers[place] = passed[i]; happens(f.Lost) {
			answers[place] = failed("InternalServerError", "made by a test")
		}
	}
	return answers
}

// encoded encodes a value that was decoded before.
func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func withBody(request *http.Request, body []byte) *http.Request {
	request = request.Clone(request.Context())
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	request.Header.Del("Content-Length")
	return request
}

func answer(request *http.Request, status int, body []byte) *http.Response {
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:   io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}
}
