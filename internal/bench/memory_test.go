package main

import (
	"testing"
	"time"

	"laurel/internal/harness"
	"laurel/internal/testserver"
	"laurel/shared/board"
)

// What a user takes in Redis and in the table stays below what is promised. Sizes of allocations
// are the server's, so a real one is measured; fewer users than 10,000 share less.
func TestMemoryOfAUser(t *testing.T) { //nolint:paralleltest // the memory is the server's
	now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, u := range someUsers[:testserver.Times(2, 4)] {
		got := harness.Must(memoryOf(t.Context(), testserver.OwnRedis(t).Client(), u, 3_000, now))(t)
		if got.redis > 1.15*u.redis || got.item > u.item {
			t.Errorf("a user with %d entries takes %.0f bytes, and an item of %.0f", u.entries, got.redis, got.item)
		}
	}
}
