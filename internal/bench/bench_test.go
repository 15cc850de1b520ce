package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/internal/harness"
)

func TestMedianAndPercentile(t *testing.T) {
	t.Parallel()
	for want, values := range map[float64][]float64{3: {3}, 2: {9, 1, 2}, 2.5: {4, 1, 2, 3}} {
		if got := median(values); got != want {
			t.Errorf("median of %v is %v, want %v", values, got, want)
		}
	}
	var hundred []time.Duration
	for i := range 100 {
		hundred = append(hundred, time.Duration(i+1))
	}
	for part, want := range map[float64]time.Duration{0: 1, 0.5: 50, 0.99: 99, 0.999: 100, 1: 100} {
		if got := percentile(hundred, part); got != want {
			t.Errorf("percentile %v is %d, want %d", part, got, want)
		}
	}
	if got := percentile([]time.Duration{7}, 0.5); got != 7 {
		t.Errorf("percentile of one is %d", got)
	}
}

// Ratios are those of the rounds, not of the medians: what disturbs one round is in
// both of its turns.
func TestTable(t *testing.T) {
	t.Parallel()
	of := func(server, redis, trips float64, latency ...time.Duration) turn {
		return turn{server: server, redis: redis, allocs: 300, kb: 2.5, trips: trips, latency: latency}
	}
	rows := []row{{
		scenario: scenario{users: 10_000, name: "top 30"}, through: viaLambda,
		turns: [2][]turn{
			{of(100, 50, 1, time.Millisecond), of(1000, 40, 1, 2*time.Millisecond), of(120, 60, 1, 3*time.Millisecond)},
			{of(50, 50, 2, time.Millisecond), of(900, 50, 2, time.Millisecond), of(120, 60, 2, 9*time.Millisecond)},
		},
	}}
	var out strings.Builder
	harness.OK(t, writeTable(&out, rows))
	lines := strings.Split(out.String(), "\n")
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(lines[2], "|"), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	want := []string{
		"10000", "lambda", "top 30", "180 -> 180", "0.91 (0.67-1.00)", "120 -> 120", "50 -> 50",
		"300 -> 300", "1.00 (1.00-1.00)", "2.5 -> 2.5", "1.00 -> 2.00", "2.00 -> 1.00", "3.00 -> 9.00",
	}
	if diff := cmp.Diff(want, cells); diff != "" {
		t.Errorf("the row differs (-want +got):\n%s", diff)
	}
	if n := strings.Count(lines[0], "|"); n != strings.Count(lines[1], "|") || n != strings.Count(lines[2], "|") {
		t.Errorf("columns differ in\n%s", out.String())
	}
}

func TestCPUIsThatOfAllThreads(t *testing.T) {
	t.Parallel()
	proc := t.TempDir()
	for thread, text := range map[string]string{"7": "1500000 20 3\n", "9": "250000 0 1\n"} {
		dir := filepath.Join(proc, "7", "task", thread)
		harness.OK(t, os.MkdirAll(dir, 0o750))
		harness.OK(t, os.WriteFile(filepath.Join(dir, "schedstat"), []byte(text), 0o600))
	}
	if got, err := cpuOf(proc, 7); err != nil || got != 1750*time.Microsecond {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := cpuOf(proc, 8); err == nil {
		t.Error("a process that is not there has CPU time")
	}
	harness.OK(t, os.WriteFile(filepath.Join(proc, "7", "task", "9", "schedstat"), []byte("none\n"), 0o600))
	if _, err := cpuOf(proc, 7); err == nil {
		t.Error("a file without a number was read")
	}
}

func TestRoundTripsAreAddedUp(t *testing.T) {
	t.Parallel()
	output := "{\"Latency\":1.5,\"RoundTrips\":2}\n{\"level\":\"INFO\"}\n{\"RoundTrips\":11,\"_aws\":{}}\n"
	if got := roundTrips(output); got != 13 {
		t.Errorf("%v round trips, want 13", got)
	}
}

// An activity that came twice would be a duplicate, and cheaper.
func TestNoActivityComesTwice(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, s := range scenarios(10_000) {
		for _, r := range append(s.requests(200), s.requests(200)...) {
			if r.method == "GET" {
				continue
			}
			for _, part := range strings.Split(r.body, `"target":`)[1:] {
				target, _, _ := strings.Cut(part, "}")
				if seen[target] {
					t.Fatalf("%s: target %s comes twice", s.name, target)
				}
				seen[target] = true
			}
		}
	}
	if len(seen) == 0 {
		t.Error("nothing is written")
	}
}

func TestFlagsThatMeasureNothing(t *testing.T) {
	t.Parallel()
	called := func(args ...string) invocation {
		flags := flag.NewFlagSet("", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		return invocation{flags, args, io.Discard, io.Discard}
	}
	for _, args := range [][]string{{"-users", "100"}, {"-users", "many"}, {"-rounds", "0"}, {"-only", "("}} {
		if _, err := parse(called(args...)); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
	o, err := parse(called("-users", "10000,20000", "-large"))
	if err != nil || !cmp.Equal(o.users, []int{10_000, 20_000, 10_000_000}) {
		t.Errorf("%v, %v", o.users, err)
	}
}
