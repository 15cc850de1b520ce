package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
)

// The guide has what the program prints.
func TestGuideHasTheTable(t *testing.T) {
	t.Parallel()
	var printed bytes.Buffer
	if err := run(t.Context(), []string{"cost"}, &printed, io.Discard); err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile("../../docs/costs.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(guide), "\n\n"+printed.String()+"\n") {
		t.Errorf("docs/costs.md has another table than go run ./internal/bench cost prints:\n%s", printed.String())
	}
}

// What a forum costs stays below these.
func TestBillsStayBelow(t *testing.T) {
	t.Parallel()
	from := forum{Users: 10 * growth, Activities: 10 * million, Reads: million, Batch: 1}
	queued := forum{Users: 10 * growth, Activities: 10 * million, Reads: million, Batch: maxBatch, Queued: true}
	more := func(f forum) float64 {
		next := f
		next.Activities, next.Users = f.Activities+million, f.Users+growth
		return next.total() - f.total()
	}
	for _, c := range []struct {
		name       string
		cost, most float64
	}{
		{"a month without users", forum{Batch: 1}.total(), 11},
		{"1,000 users", examples[0].total(), 28},
		{"a million activities singly", more(from), 6.50},
		{"a million activities in batches by the queue", more(queued), 4.50},
	} {
		if c.cost >= c.most {
			t.Errorf("%s: %.2f dollars, not below %.2f", c.name, c.cost, c.most)
		}
	}
}

// Nothing is free: more of anything costs more on some line, and nothing costs less, but ledgers
// of users who do less each.
func TestMoreCostsMore(t *testing.T) {
	t.Parallel()
	for _, f := range examples {
		for _, d := range doublings {
			twice := f
			d.double(&twice)
			for _, i := range items {
				smaller := i.name == "table" && d.name == "twice the users"
				if before, after := i.of(f), i.of(twice); after < before-1e-9 && !smaller {
					t.Errorf("%s, %s: %.2f instead of %.2f", i.name, d.name, after, before)
				}
			}
			if twice.total() <= f.total() && d.name != "twice the users" {
				t.Errorf("%s costs nothing", d.name)
			}
		}
	}
}
