package dynamotest

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"laurel/internal/dynamoserver"
	"laurel/shared/archive/table"
)

// A server is the one of this test binary.
type server struct {
	url  string
	line string // which server it is
	say  sync.Once
}

var shared = sync.OnceValues(func() (*server, error) {
	ctx := context.Background()
	outside, err := dynamoserver.FromEnvironment(ctx)
	if err != nil {
		return nil, err
	}
	if outside != "" {
		return &server{url: outside, line: fmt.Sprintf("dynamodb: %s from %s", outside, dynamoserver.AddressVariable)}, nil
	}
	source, err := dynamoserver.Find(ctx)
	if err != nil {
		return nil, err
	}
	// Nobody stops it: it ends with the test binary.
	started, err := source.Start(ctx)
	if err != nil {
		return nil, err
	}
	return &server{url: started.URL(), line: fmt.Sprintf("dynamodb: %s, at %s", source, started.URL())}, nil
})

// URL is where the shared server listens, as --dynamodb takes it. Tables on it have
// to have names that no other test uses.
func URL(tb testing.TB) string {
	tb.Helper()
	server, err := shared()
	if err != nil {
		tb.Fatal(err)
	}
	server.say.Do(func() { tb.Log(server.line) })
	return server.url
}

// Options are those of a table that is not there yet and is the test's own; it is
// removed with the test. Each call gives another.
func Options(tb testing.TB) table.Options {
	tb.Helper()
	options := table.Options{Name: "laurel-test-" + rand.Text(), Endpoint: URL(tb)}
	client, err := options.Client()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { // a table that the test did not make is no fault
		_, _ = client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &options.Name})
	})
	return options
}

// Table is a Store on an empty table of the test's own.
func Table(tb testing.TB) *table.Store {
	tb.Helper()
	store, err := table.Open(tb.Context(), Options(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return store
}
