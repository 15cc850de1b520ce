package dynamo_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/board"
	"laurel/shared/journal"
	"laurel/shared/live"
	"laurel/shared/table"
	"laurel/shared/table/dynamo"
)

// agreeing returns a table that does nothing and says after a while that all is well.
func agreeing(b *testing.B, after time.Duration) *dynamo.Store {
	b.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(after)
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header()["Content-Type"] = []string{"application/x-amz-json-1.0"}
		_, _ = w.Write([]byte(`{}`))
	}))
	b.Cleanup(server.Close)
	store, err := dynamo.New(dynamo.Options{Name: "laurel", Endpoint: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	return store
}

// BenchmarkRecord records with the journal's put and without: new activities of a thousand
// users by one process, and of one user by eight processes at once, where a put takes the 4 ms
// that it takes in AWS. CPU is what this process spends, which is also the table that agrees.
func BenchmarkRecord(b *testing.B) {
	noon := harness.At(b, "2026-11-20T12:00")
	for _, c := range []struct {
		size, processes, users int
		put                    time.Duration
	}{{1, 1, 1000, 0}, {100, 1, 1000, 0}, {1, 1, 1, 4 * time.Millisecond}, {1, 8, 1, 4 * time.Millisecond}} {
		for _, kept := range []bool{false, true} {
			name := fmt.Sprintf("%d at once by %d of %d users, journal %t", c.size, c.processes, c.users, kept)
			b.Run(name, func(b *testing.B) {
				options := testserver.RedisOptions(b)
				stores := make([]*live.Store, c.processes)
				for i := range stores {
					client := redis.NewClient(options)
					b.Cleanup(func() { _ = client.Close() })
					if stores[i] = live.New(client, harness.UTC(), 1); kept {
						stores[i].Keep(journalOn{journal.New(agreeing(b, c.put))})
					}
				}
				var n atomic.Int64
				b.ReportAllocs()
				cpu := cpuTime()
				b.ResetTimer()
				var writers sync.WaitGroup
				for _, store := range stores {
					writers.Go(func() {
						for i := n.Add(1); i <= int64(b.N); i = n.Add(1) {
							harness.Record(b, store, some(i, c.size, c.users, noon)...)
						}
					})
				}
				writers.Wait()
				b.StopTimer()
				b.ReportMetric(float64(b.N*c.size)/b.Elapsed().Seconds(), "activities/s")
				b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/float64(b.N), "CPU-us/op")
			})
		}
	}
}

// some are new activities.
func some(n int64, size, users int, noon board.Moment) []activity.Activity {
	acts := make([]activity.Activity, size)
	for i := range acts {
		k := int(n)*size + i
		acts[i] = activity.Activity{
			User: fmt.Sprint("user-", k%users), Action: []string{"publish", "like", "comment"}[k%min(users, 3)],
			Target: fmt.Sprint(k % 90_000), At: noon + board.Moment(k%3_600_000),
		}
	}
	return acts
}

// cpuTime is the time that this process has spent.
func cpuTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// What a put of the journal costs beside the network, and what one through the SDK does.
func BenchmarkPut(b *testing.B) {
	store := agreeing(b, 0)
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
