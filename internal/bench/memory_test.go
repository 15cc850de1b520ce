package main

import (
	"testing"
	"time"

	"laurel/internal/testserver"
	"laurel/shared/board"
)

// What a user takes in Redis stays below what is promised. Sizes of allocations are the
// server's, so a real one is measured.
func TestMemoryOfAUser(t *testing.T) { //nolint:paralleltest // the memory is the server's
	now := board.MomentOf(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	for _, u := range someUsers {
		var got taken
		for try := range 3 { // what the server does beside it only adds
			one, err := memoryOf(t.Context(), testserver.Redis(t), u, now)
			if err != nil {
				t.Fatal(err)
			}
			if try == 0 || one.all < got.all {
				got = one
			}
		}
		t.Logf("%d entries: %s", u.entries, got)
		if got.all > 1.02*u.most {
			t.Errorf("a user with %d entries takes %.0f bytes, more than %.0f", u.entries, got.all, u.most)
		}
	}
}

// After a year with all windows a user has the pages of the live months, one place on each
// live board and a total for each month; nights leave nothing else.
func TestMemoryOfAYear(t *testing.T) { //nolint:paralleltest // the memory is the server's
	var all []taken
	err := memoryOfYear(t.Context(), testserver.Redis(t), 30, func(name string, got taken) {
		t.Logf("%s: %s", name, got)
		all = append(all, got)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, most := range []float64{4_500, 1_700, 7_000, 3_200} {
		if all[i].keys > most {
			t.Errorf("state %d: %s, more than %.0f", i, all[i], most)
		}
	}
}
