package benchmark_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"laurel/internal/benchmark"
	"laurel/internal/redistest"
)

// A small run prints a figure for every bar and leaves the database empty.
func TestRunReportsEveryBar(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	var out bytes.Buffer
	if err := benchmark.Run(t.Context(), benchmark.Options{URL: server.URL(), Out: &out, Users: []int{200}, Quick: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"100 entries, KB", "600 entries, KB", "on a page of 100 entries", "batches against the seven calls", "single activities against",
		"batches against the plain pipeline, events/s", "Redis CPU an event", "a page of 30 with a standing", "a standing with 5 neighbours", "of 9 bars reached",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in:\n%s", want, out.String())
		}
	}
	if n := server.Client().DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// A database that holds something is left alone.
func TestRunRefusesADatabaseInUse(t *testing.T) {
	t.Parallel()
	client := redistest.Own(t)
	client.Client().Set(t.Context(), "somebody's", "1", 0)
	err := benchmark.Run(t.Context(), benchmark.Options{URL: client.URL(), Out: &bytes.Buffer{}, Quick: true})
	if !errors.Is(err, benchmark.ErrNotEmpty) {
		t.Errorf("got %v", err)
	}
	if n := client.Client().DBSize(t.Context()).Val(); n != 1 {
		t.Errorf("%d keys, want the one that was there", n)
	}
}
