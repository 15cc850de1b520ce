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

// The journal's put goes over the connection of the other calls: a cold start makes one.
func TestOneConnection(t *testing.T) {
	t.Parallel()
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
		if err := store.Put(t.Context(), table.Item{Key: one}); err != nil {
			t.Fatal(err)
		}
		if err := store.Set(t.Context(), table.Item{Key: table.Key{Partition: table.SetPrefix, Sort: "1"}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := connections.Load(); got != 1 {
		t.Errorf("%d connections", got)
	}
}
