package dynamo_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"laurel/shared/table"
	"laurel/shared/table/dynamo"
)

// All calls go over one connection: a cold start makes one.
// A connection is kept only if its request was written within some time, which a loaded machine can miss.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	for range 5 {
		got := connectionsOfSixRequests(t)
		if got == 1 {
			return
		}
		t.Logf("%d connections", got)
	}
	t.Error("more than one connection, each time")
}

// connectionsOfSixRequests counts the connections of requests that follow one another.
func connectionsOfSixRequests(t *testing.T) int64 {
	t.Helper()
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write([]byte(`{}`))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	store, err := dynamo.New(dynamo.Options{Name: "laurel", Endpoint: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := store.Write(t.Context(), table.Write{Item: table.Item{Key: one}})[0].Err; err != nil {
			t.Fatal(err)
		}
		if o := store.Write(t.Context(), table.Write{Item: table.Item{Key: two}})[0]; o.Err != nil {
			t.Fatal(o.Err)
		}
	}
	return connections.Load()
}
