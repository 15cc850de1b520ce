package e2e

import (
	"crypto/md5" //nolint:gosec // SQS sends the sum of a body
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"laurel/shared/api/auth"
)

// A Caller is the caller by API Gateway's authorizer; the zero Caller has no token.
type Caller = auth.Caller

// Service is the forum's own backend.
var Service = Caller{Service: true}

// User is a user of the forum.
func User(id string) Caller { return Caller{User: id} }

// An object is a JSON object. Its fields are encoded in alphabetical order.
type object map[string]any

// parameter is a path parameter in an address: {user=ann}.
var parameter = regexp.MustCompile(`\{(\w+)=([^}]*)\}`)

// Request returns a request as API Gateway's HTTP API sends it, payload 2.0. The
// address is a path and a query; path parameters are written {name=value}, so that
// the event has the route too: /v1/users/{user=ann}/votes?article=a1.
func Request(method, address, body string, c Caller) []byte {
	path, query, _ := strings.Cut(address, "?")
	route, raw := method+" "+parameter.ReplaceAllString(path, "{$1}"), parameter.ReplaceAllString(path, "$2")
	const host = "abc123.execute-api.eu-central-1.amazonaws.com"
	headers := object{
		"accept": "*/*", "host": host, "user-agent": "curl/8.5.0",
		"x-forwarded-for": "203.0.113.7", "x-forwarded-port": "443", "x-forwarded-proto": "https",
	}
	about := object{
		"accountId": "123456789012", "apiId": "abc123", "domainName": host, "domainPrefix": "abc123",
		"http": object{
			"method": method, "path": raw, "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7", "userAgent": "curl/8.5.0",
		},
		"requestId": "JKJaXmPLvHcES01=", "routeKey": route, "stage": "$default",
		"time": "20/Nov/2026:12:00:00 +0000", "timeEpoch": 1795176000000,
	}
	event := object{
		"version": "2.0", "routeKey": route, "rawPath": raw, "rawQueryString": query,
		"headers": headers, "requestContext": about, "isBase64Encoded": false,
	}
	if body != "" {
		event["body"], headers["content-type"], headers["content-length"] = body, "application/json", strconv.Itoa(len(body))
	}
	if c != (Caller{}) {
		headers["authorization"] = "Bearer checked.by.gateway"
		about["authorizer"] = object{"lambda": object{"caller": c.Text()}}
	}
	values := object{}
	for _, match := range parameter.FindAllStringSubmatch(path, -1) {
		values[match[1]] = match[2]
	}
	if len(values) > 0 {
		event["pathParameters"] = values
	}
	if parsed, err := url.ParseQuery(query); err == nil && len(parsed) > 0 {
		joined := object{}
		for name, values := range parsed {
			joined[name] = strings.Join(values, ",")
		}
		event["queryStringParameters"] = joined
	}
	return encode(event)
}

// Authorization returns the event by which API Gateway asks the authorizer about a request
// with a header Authorization, payload 2.0.
func Authorization(method, path, header string) []byte {
	return encode(object{
		"version": "2.0", "type": "REQUEST", "identitySource": []string{header}, "routeKey": method + " " + path,
		"routeArn": "arn:aws:execute-api:eu-central-1:123456789012:abc123/$default/" + method + path,
		"rawPath":  path, "rawQueryString": "", "headers": object{"authorization": header},
		"requestContext": object{
			"accountId": "123456789012", "apiId": "abc123", "http": object{"method": method, "path": path},
			"requestId": "JKJaXmPLvHcES01=", "routeKey": method + " " + path, "stage": "$default",
		},
	})
}

// Producer is the unique id of the role that sends the messages of batches.
const Producer = "AROAEXAMPLEID"

// A Message is a message of the queue. One with a caller came through API Gateway.
type Message struct {
	ID, Body string
	Caller   Caller
}

// Batch returns messages as SQS hands them to a function.
func Batch(sent time.Time, messages ...Message) []byte {
	records := make([]object, len(messages))
	for i, m := range messages {
		sum := md5.Sum([]byte(m.Body)) //nolint:gosec // likewise
		attributes, given := object{"ApproximateReceiveCount": "1", "SenderId": Producer + ":forum-backend"}, object{}
		attributes["SentTimestamp"] = strconv.FormatInt(sent.UnixMilli(), 10)
		if c := m.Caller; c != (Caller{}) {
			attributes["SenderId"], attributes["MessageGroupId"] = Producer+":apigateway", c.Text()
			given["caller"], given["sent"] = attribute(c.Text()), attribute(strconv.FormatInt(sent.UnixMilli(), 10))
		}
		records[i] = object{
			"messageId": m.ID, "receiptHandle": "handle-" + m.ID, "body": m.Body, "md5OfBody": hex.EncodeToString(sum[:]),
			"attributes": attributes, "messageAttributes": given, "awsRegion": "eu-central-1", "eventSource": "aws:sqs",
			"eventSourceARN": "arn:aws:sqs:eu-central-1:123456789012:laurel-ActivityQueue-EXAMPLE",
		}
	}
	return encode(object{"Records": records})
}

func attribute(value string) object {
	return object{"dataType": "String", "stringValue": value, "stringListValues": []any{}, "binaryListValues": []any{}}
}

func encode(event object) []byte {
	text, err := json.Marshal(event)
	if err != nil { // it is made of text and numbers
		panic("e2e: encode an event: " + err.Error())
	}
	return text
}
