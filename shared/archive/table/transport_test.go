package table_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
)

// A faultyTransport stands between a client and the server, as the Transport of a
// table's options, and makes the trouble that DynamoDB makes, each kind at random with
// its probability from 0 to 1.
type faultyTransport struct {
	Throttled   float64 // a request is refused, in one of the ways DynamoDB has for it
	Broken      float64 // a request is answered with an internal error and not carried out
	Lost        float64 // a request is carried out and answered with an internal error
	Unprocessed float64 // a key or an item of a batch is left for another time
	Spared      int64   // every so-manieth request is carried out whole, so that trouble ends; 0: none

	requests, refused, left atomic.Int64
}

// Counts are how many requests came, how many of them were refused or lost, and how
// many keys and items of batches were left.
func (f *faultyTransport) Counts() (requests, refused, left int64) {
	return f.requests.Load(), f.refused.Load(), f.left.Load()
}

// RoundTrip carries out a request, or does not.
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
	return answer(request, status, fmt.Appendf(nil, `{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":"made by a test"}`, kind))
}

// forward passes a request on; a batch's only in part.
func (f *faultyTransport) forward(request *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(request.Header.Get("X-Amz-Target"), ".")
	field, divisible := leftIn[operation]
	if !divisible || f.Unprocessed == 0 {
		return http.DefaultTransport.RoundTrip(request)
	}
	asked, err := readBatch(request.Body)
	if err != nil {
		return nil, err
	}
	left, n := asked.divide(func() bool { return happens(f.Unprocessed) })
	f.left.Add(int64(n))
	if asked.empty() {
		return answer(request, http.StatusOK, fmt.Appendf(nil, `{%q:%s}`, field, left)), nil
	}
	response, err := http.DefaultTransport.RoundTrip(withBody(request, asked.encode()))
	if err != nil || response.StatusCode != http.StatusOK || n == 0 {
		return response, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := addLeft(response.Body, field, left)
	if err != nil {
		return nil, err
	}
	return answer(request, http.StatusOK, body), nil
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
