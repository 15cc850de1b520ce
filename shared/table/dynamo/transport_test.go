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

// leftIn is the field of a batch's answer that has what was not processed.
var leftIn = map[string]string{"BatchGetItem": "UnprocessedKeys", "BatchWriteItem": "UnprocessedItems"}

// forward passes a request on; of a batch only a part.
func (f *faultyTransport) forward(request *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	if operation == "BatchExecuteStatement" && f.Unprocessed > 0 {
		return f.forwardStatements(request)
	}
	field, divisible := leftIn[operation]
	if !divisible || f.Unprocessed == 0 {
		return http.DefaultTransport.RoundTrip(request)
	}
	var asked, answered map[string]any
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		return nil, err
	}
	left, kept, n := divide(asked["RequestItems"].(map[string]any), func() bool { return happens(f.Unprocessed) })
	f.left.Add(int64(n))
	if kept == 0 {
		return answer(request, http.StatusOK, encoded(map[string]any{field: left})), nil
	}
	response, err := http.DefaultTransport.RoundTrip(withBody(request, encoded(asked)))
	if err != nil || response.StatusCode != http.StatusOK || n == 0 {
		return response, err
	}
	defer func() { _ = response.Body.Close() }()
	if err := json.NewDecoder(response.Body).Decode(&answered); err != nil {
		return nil, err
	}
	if own, _ := answered[field].(map[string]any); len(own) > 0 {
		return nil, fmt.Errorf("the server itself left %d tables of a small batch", len(own))
	}
	answered[field] = left
	return answer(request, http.StatusOK, encoded(answered)), nil
}

// forwardStatements passes statements on, and answers others, or some that were carried out,
// with errors of their own.
func (f *faultyTransport) forwardStatements(request *http.Request) (*http.Response, error) {
	var asked struct {
		Statements []any `json:"Statements"`
	}
	if err := json.NewDecoder(request.Body).Decode(&asked); err != nil {
		return nil, err
	}
	answers, places, passed := make([]any, len(asked.Statements)), []int{}, []any{}
	for i, statement := range asked.Statements {
		code := []string{"ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded"}[rand.IntN(3)]
		answers[i] = map[string]any{"Error": map[string]any{"Code": code, "Message": "unprocessed, made by a test"}}
		if happens(f.Unprocessed) {
			f.left.Add(1)
			continue
		}
		places, passed = append(places, i), append(passed, statement)
	}
	if len(passed) > 0 {
		response, err := http.DefaultTransport.RoundTrip(withBody(request, encoded(map[string]any{"Statements": passed})))
		if err != nil {
			return nil, err
		}
		defer func() { _ = response.Body.Close() }()
		var answered struct {
			Responses []any `json:"Responses"`
		}
		if err := json.NewDecoder(response.Body).Decode(&answered); err != nil {
			return nil, err
		}
		for i, place := range places {
			if answers[place] = answered.Responses[i]; happens(f.Lost) {
				answers[place] = map[string]any{"Error": map[string]any{"Code": "InternalServerError", "Message": "made by a test"}}
			}
		}
	}
	return answer(request, http.StatusOK, encoded(map[string]any{"Responses": answers})), nil
}

// divide takes items out of a batch: for each table a list of writes, or an object with a
// list of keys and how they are read. It returns them in the same form, and the numbers
// of items that were kept and taken.
func divide(tables map[string]any, take func() bool) (left map[string]any, kept, taken int) {
	left = map[string]any{}
	for table, part := range tables {
		keys, isRead := part.(map[string]any)
		list := part
		if isRead {
			list = keys["Keys"]
		}
		lists := [2][]any{} // kept and taken
		for _, item := range list.([]any) {
			i := 0
			if take() {
				i = 1
			}
			lists[i] = append(lists[i], item)
		}
		kept, taken = kept+len(lists[0]), taken+len(lists[1])
		for i, parts := range []map[string]any{tables, left} {
			switch {
			case len(lists[i]) == 0:
				delete(parts, table)
			case isRead:
				parts[table] = map[string]any{"Keys": lists[i], "ConsistentRead": keys["ConsistentRead"]}
			default:
				parts[table] = lists[i]
			}
		}
	}
	return left, kept, taken
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
