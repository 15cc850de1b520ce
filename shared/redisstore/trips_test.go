package redisstore_test

import (
	"context"
	"sync/atomic"
	"testing"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
	"laurel/shared/live"
	"laurel/shared/redisstore"
)

// What the client counts is what the wire sees.
func TestTripsAreCounted(t *testing.T) {
	t.Parallel()
	client, w := testserver.CountedRedis(t)
	var counted atomic.Int64
	redisstore.CountTrips(client, func(context.Context) { counted.Add(1) })
	store := live.New(client, harness.UTC(), 4)
	harness.TeachScripts(t, store)
	noon := harness.At(t, "2026-11-20T12:00")
	for what, step := range map[string]func(){
		"recording": func() {
			harness.Record(t, store, harness.Did(t, "ada like 1", noon), harness.Did(t, "bob like 1", noon),
				harness.Did(t, "cid like 1", noon))
		},
		"a page": func() {
			harness.Read(t, store, board.View{Board: "activity", Period: harness.Period(t, "2026-11"), Limit: 30})
		},
		"a standing": func() {
			harness.Read(t, store, board.View{Board: "activity", Period: harness.Period(t, "2026-11"), User: "ada", Around: 2})
		},
		"a ping": func() { _ = store.Ping(t.Context()) },
	} {
		step() // connections are made
		before := counted.Load()
		seen := w.Count()
		step()
		if got, want := counted.Load()-before, w.Count()-seen; got != want || got == 0 {
			t.Errorf("%s: counted %d round trips, the wire saw %d", what, got, want)
		}
	}
}
