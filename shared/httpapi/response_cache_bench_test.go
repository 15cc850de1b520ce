package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/shared/httpapi"
	"laurel/shared/view"
)

// BenchmarkResponseCache reads the first 30 of a board, who have names, over HTTP by 32 clients at once:
// each time, and cached. The process is server and clients, so CPU is of both; "plain" is a
// handler that answers the same bytes at once, which is their share.
func BenchmarkResponseCache(b *testing.B) {
	f := open(b)
	for i := range 30 {
		name := fmt.Sprint("user-", i)
		f.Put("/v1/users/"+name, f.Service(), fmt.Sprintf(`{"name":"User %d","avatar":"https://forum.example/%[1]d.png"}`, i))
		f.Did(name + " like 1")
	}
	var trips atomic.Int64
	view.CountTrips(f.Redis, func(context.Context) { trips.Add(1) })
	body := f.Get(today, "").Body
	for name, handler := range map[string]http.Handler{
		"each time": httpapi.Compressed(httpapi.New(f.Requests(), httpapi.Record, httpapi.Query)),
		"cached":      httpapi.NewResponseCache(f.Requests()),
		"plain":     http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }),
	} {
		for _, encoding := range []string{"identity", "gzip"} {
			b.Run(name+"/"+encoding, func(b *testing.B) {
				server := httptest.NewServer(handler)
				defer server.Close()
				var left atomic.Int64
				left.Store(int64(b.N))
				before, used := trips.Load(), processTime()
				b.ReportAllocs()
				var all sync.WaitGroup
				for range 32 {
					all.Go(func() {
						client := harness.NewClient(b, server.URL)
						for left.Add(-1) >= 0 {
							if a := client.Get(today, "", "Accept-Encoding", encoding); a.Status != http.StatusOK {
								b.Error(a)
							}
						}
					})
				}
				all.Wait()
				b.ReportMetric(float64((processTime()-used).Microseconds())/float64(b.N), "CPU-us/op")
				b.ReportMetric(float64(trips.Load()-before)/float64(b.N), "trips/op")
			})
		}
	}
}

// processTime is the time that this process has spent.
func processTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
