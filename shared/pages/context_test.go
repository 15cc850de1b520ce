package pages_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/activity"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// A context that ends is an error for each activity, promptly; the users' locks
// are given back and nothing goes on running. It is not parallel: it counts.
func TestRecordEndsWithItsContext(t *testing.T) {
	p, options := startProxy(t)
	options.ContextTimeoutEnabled = true
	options.ReadTimeout = time.Minute // the context is what ends it
	store := live.New(proxyClient(t, options), harness.UTC(), 1)
	harness.TeachScripts(t, store)
	before := runtime.NumGoroutine()

	var acts []activity.Activity
	for i := range 100 {
		acts = append(acts, harness.Did(t, fmt.Sprintf("user-%d publish 1", i%40), harness.At(t, "2026-11-20T12:00")))
	}
	p.All(testserver.LateReply)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	expectEnd(ended, t, store, acts, 100*time.Millisecond)

	// One has the locks and waits for the server, the other waits for the locks.
	first := make(chan struct{})
	go func() {
		defer close(first)
		soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		expectEnd(soon, t, store, acts, slowAfter)
	}()
	time.Sleep(50 * time.Millisecond)
	sooner, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	expectEnd(sooner, t, store, acts, 140*time.Millisecond)
	<-first

	p.All(testserver.NoFault)
	harness.Record(t, store, acts...)
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		// The proxy has two goroutines for each of the client's connections.
		if n := runtime.NumGoroutine(); n <= before+4 {
			break
		} else if time.Now().After(deadline) {
			buffer := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", n, before, buffer[:runtime.Stack(buffer, true)])
		}
	}
}

// expectEnd records and expects an error for each activity within a while.
func expectEnd(ctx context.Context, t *testing.T, store *live.Store, acts []activity.Activity, within time.Duration) {
	t.Helper()
	start := time.Now()
	results := store.Record(ctx, acts, harness.History)
	if took := time.Since(start); took > within {
		t.Errorf("it took %v to notice the end of its context", took)
	}
	for i, r := range results {
		if !errors.Is(r.Err, redisstore.ErrUnavailable) {
			t.Errorf("activity %d: %+v", i, r)
		}
	}
}
