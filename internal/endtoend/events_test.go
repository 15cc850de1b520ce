package endtoend_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"laurel/internal/runtimeapi"
)

// A caller is whom API Gateway's authorizer has checked; the zero one has no token.
type caller struct{ sub, scope string }

var (
	nobody  = caller{}
	service = caller{sub: "forum", scope: "laurel/service"}
)

func user(id string) caller { return caller{sub: id, scope: "openid"} }

// httpEvent is a request as API Gateway's HTTP API sends it, payload 2.0. The
// address has the path and the query.
func httpEvent(t *testing.T, method, address, body string, c caller) []byte {
	t.Helper()
	path, query, _ := strings.Cut(address, "?")
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: method + " " + path, RawPath: path, RawQueryString: query,
		Headers: map[string]string{
			"host": "abc123.execute-api.us-east-1.amazonaws.com", "content-type": "application/json", "content-length": strconv.Itoa(len(body)),
		},
		Body: body,
	}
	about := &e.RequestContext
	about.AccountID, about.APIID, about.Stage, about.RequestID, about.RouteKey = "123456789012", "abc123", "$default", "JKJaXmPLvHcESHA=", e.RouteKey
	about.HTTP = events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: method, Path: path, Protocol: "HTTP/1.1", SourceIP: "203.0.113.7", UserAgent: "test"}
	if c != nobody {
		claims := map[string]string{"sub": c.sub, "scope": c.scope, "iss": "https://login.example.com", "aud": "laurel"}
		about.Authorizer = &events.APIGatewayV2HTTPRequestContextAuthorizerDescription{
			JWT: &events.APIGatewayV2HTTPRequestContextAuthorizerJWTDescription{Claims: claims},
		}
	}
	return encode(t, e)
}

func encode(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A response is what API Gateway is to answer.
type response struct {
	status int
	header http.Header
	body   string
}

// ask sends a request to a function.
func ask(t *testing.T, function *runtimeapi.Function, method, address, body string, c caller) response {
	t.Helper()
	text, err := function.Invoke(t.Context(), httpEvent(t, method, address, body, c))
	if err != nil {
		t.Fatalf("%s %s: %v", method, address, err)
	}
	var answer events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s %s: %v\n%s", method, address, err, text)
	}
	header := http.Header{}
	for name, value := range answer.Headers {
		header.Set(name, value)
	}
	return response{status: answer.StatusCode, header: header, body: answer.Body}
}

// read decodes the body of a response that has to be 200.
func read[T any](t *testing.T, r response) (value T) {
	t.Helper()
	if r.status != http.StatusOK {
		t.Fatalf("status %d: %s", r.status, r.body)
	}
	if err := json.Unmarshal([]byte(r.body), &value); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	return value
}

// A boardAnswer is what is looked at of a board.
type boardAnswer struct {
	Period  string `json:"period"`
	Final   bool   `json:"final"`
	Total   int    `json:"total"`
	Entries []struct {
		Rank  int `json:"rank"`
		Score int `json:"score"`
		User  struct {
			ID string `json:"id"`
		} `json:"user"`
	} `json:"entries"`
	Standing *struct {
		Rank  *int `json:"rank"`
		Score int  `json:"score"`
	} `json:"standing"`
}

// String is the places in a line: 1 ann 7, 2 bob 2.
func (b boardAnswer) String() string {
	places := make([]string, len(b.Entries))
	for i, e := range b.Entries {
		places[i] = fmt.Sprintf("%d %s %d", e.Rank, e.User.ID, e.Score)
	}
	return strings.Join(places, ", ")
}

// boardOf reads a board.
func boardOf(t *testing.T, function *runtimeapi.Function, address string) boardAnswer {
	t.Helper()
	return read[boardAnswer](t, ask(t, function, http.MethodGet, "/v1/boards/activity/"+address, "", nobody))
}

// report sends activities and returns their receipts as words: counted 2, duplicate 0.
func report(t *testing.T, function *runtimeapi.Function, c caller, activities ...string) []string {
	t.Helper()
	return statuses(t, ask(t, function, http.MethodPost, "/v1/activities", reportOf(activities...), c))
}

func reportOf(activities ...string) string {
	return `{"activities":[` + strings.Join(activities, ",") + `]}`
}

func statuses(t *testing.T, r response) []string {
	t.Helper()
	answer := read[struct {
		Receipts []struct {
			Status string `json:"status"`
			Points int    `json:"points"`
		} `json:"receipts"`
	}](t, r)
	words := make([]string, len(answer.Receipts))
	for i, receipt := range answer.Receipts {
		words[i] = fmt.Sprintf("%s %d", receipt.Status, receipt.Points)
	}
	return words
}

// A message is one of the queue's.
//
// With a sub it is what API Gateway's route to the queue sends: package queue says
// how.
type message struct{ id, body, sub string }

// sqsEvent is a batch as SQS hands it to a function.
func sqsEvent(t *testing.T, sent time.Time, messages ...message) []byte {
	t.Helper()
	var e events.SQSEvent
	for _, m := range messages {
		record := events.SQSMessage{
			MessageId: m.id, ReceiptHandle: "handle-" + m.id, Body: m.body, EventSource: "aws:sqs", AWSRegion: "us-east-1",
			EventSourceARN: "arn:aws:sqs:us-east-1:123456789012:laurel-activities",
			Attributes: map[string]string{
				"ApproximateReceiveCount": "1", "SenderId": "AIDACKCEVSQ6C2EXAMPLE",
				"SentTimestamp":                    strconv.FormatInt(sent.UnixMilli(), 10),
				"ApproximateFirstReceiveTimestamp": strconv.FormatInt(sent.UnixMilli()+1, 10),
			},
		}
		if m.sub != "" {
			record.MessageAttributes = map[string]events.SQSMessageAttribute{
				"sub": {StringValue: &m.sub, DataType: "String"}, "scope": {StringValue: new("scope openid"), DataType: "String"},
			}
			record.Attributes["MessageGroupId"] = m.sub
		}
		e.Records = append(e.Records, record)
	}
	return encode(t, e)
}

// deliver hands a batch to a function and returns the ids of what failed.
func deliver(t *testing.T, function *runtimeapi.Function, batch []byte) (failed []string) {
	t.Helper()
	text, err := function.Invoke(t.Context(), batch)
	if err != nil {
		t.Fatal(err)
	}
	var answer events.SQSEventResponse
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, failure := range answer.BatchItemFailures {
		failed = append(failed, failure.ItemIdentifier)
	}
	return failed
}
