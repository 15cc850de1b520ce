package testserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
)

// dynamodbVariable names the variable of an address, http://host:port or host:port.
const dynamodbVariable = "LAUREL_TEST_DYNAMODB"

// StartDynamoDB starts an empty DynamoDB Local that nobody else uses, and waits until
// it answers. It takes anybody's credentials, listens on every address of this
// machine, and says nothing about DynamoDB's speed.
func StartDynamoDB(ctx context.Context) (*Server, error) {
	program, err := find(dynamodbVariable, "dynamodb-local")
	if err != nil {
		return nil, err
	}
	return recipe{
		program: program,
		arguments: func(port, _, ident string) []string {
			return []string{"-inMemory", "-disableTelemetry", "-cors", ident, "-port", port}
		},
		// Which web pages may read an answer is a setting that each answer tells and
		// that has no effect here.
		ask: func(ident string) string {
			return "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: " + ident + "\r\nConnection: close\r\n\r\n"
		},
	}.launch(ctx)
}

// theDynamoDB returns the address that the tests of this binary share.
var theDynamoDB = sync.OnceValues(func() (string, error) {
	if address := os.Getenv(dynamodbVariable); address != "" {
		return checked(address)
	}
	server, err := StartDynamoDB(context.Background())
	if err != nil {
		return "", err
	}
	return "http://" + server.addr, nil
})

// checked returns the address as a URL at which somebody listens.
func checked(address string) (string, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Port() == "" {
		return "", fmt.Errorf("%s: %q is not http://host:port", dynamodbVariable, address)
	}
	if !listens(u.Host) {
		return "", fmt.Errorf("%s: nobody listens at %s", dynamodbVariable, u.Host)
	}
	return strings.TrimSuffix(address, "/"), nil
}

// DynamoDB returns the URL of DynamoDB Local, http://host:port. Other tests use it
// too: tables on it have names that no other test uses, as those of Table are.
func DynamoDB(tb testing.TB) string {
	tb.Helper()
	address, err := theDynamoDB()
	must(tb, err)
	tb.Log("dynamodb:", address)
	return address
}

// Table returns DynamoDB and the name of a table that is the test's own and not
// there yet. The table of that name is removed with the test. Each call gives another
// name.
func Table(tb testing.TB) (endpoint, name string) {
	tb.Helper()
	endpoint, name = DynamoDB(tb), "laurel-test-"+rand.Text()
	tb.Cleanup(func() { // the test may not have made it
		_, _ = dynamodb(context.Background(), endpoint, "DeleteTable", `{"TableName":"`+name+`"}`)
	})
	return endpoint, name
}

// dynamodb does an operation and returns the answer. The credentials and the region
// are those that package table makes up: DynamoDB Local keeps the tables of each apart
// and checks no signature.
func dynamodb(ctx context.Context, endpoint, operation, body string) (answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = http.Header{
		"Content-Type": {"application/x-amz-json-1.0"},
		"X-Amz-Target": {"DynamoDB_20120810." + operation},
		"Authorization": {
			"AWS4-HMAC-SHA256 Credential=laurel/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
		},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	return io.ReadAll(response.Body)
}
