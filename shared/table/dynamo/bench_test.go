package dynamo_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"laurel/shared/table"
	"laurel/shared/table/dynamo"
)

// What a put of the journal costs beside the network, and what one through the SDK does.
func BenchmarkPut(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header()["Content-Type"] = []string{"application/x-amz-json-1.0"}
		_, _ = w.Write([]byte(`{}`))
	}))
	defer server.Close()
	store, err := dynamo.New(dynamo.Options{Name: "laurel", Endpoint: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	item := table.Item{Key: table.Key{Partition: table.SetPrefix + "2026-11-22T14#07", Sort: "1"}, Data: make([]byte, 40)}
	for name, put := range map[string]func() error{
		"set":         func() error { return store.Set(b.Context(), item) },
		"through SDK": func() error { return store.Put(b.Context(), item) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := put(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
