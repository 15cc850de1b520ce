package testserver

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"
)

// theDynamoDB returns the address of an empty DynamoDB Local that the tests of this binary share. It takes anybody's
// credentials, listens on every address of this machine, and says nothing about DynamoDB's speed.
var theDynamoDB = sync.OnceValues(func() (string, error) {
	program, err := find("dynamodb-local")
	if err != nil {
		return "", err
	}
	server, err := recipe{
		program: program,
		arguments: func(port, _, ident string) []string {
			return []string{"-inMemory", "-disableTelemetry", "-cors", ident, "-port", port}
		},
		// The web pages that may read an answer are a setting that each answer tells and
		// that has no effect here.
		ask: func(ident string) string {
			return "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: " + ident + "\r\nConnection: close\r\n\r\n"
		},
	}.launch(context.Background())
	if err != nil {
		return "", err
	}
	return "http://" + server.addr, nil
})

// DynamoDB returns the URL of DynamoDB Local, http://host:port. Other tests use it
// too: tables on it have names that no other test uses, as those of Table are.
func DynamoDB(tb testing.TB) string {
	tb.Helper()
	address, err := theDynamoDB()
	must(tb, err)
	return address
}

// Table returns DynamoDB and the name of a table that is the test's own and not
// there yet. Each call gives another name.
func Table(tb testing.TB) (endpoint, name string) {
	tb.Helper()
	return DynamoDB(tb), "laurel-test-" + rand.Text()
}
