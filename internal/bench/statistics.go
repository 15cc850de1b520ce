package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// A turn is what one version did with the requests of a round.
type turn struct {
	server, redis float64 // microseconds of CPU, a request
	allocs, kb    float64 // a request
	trips         float64 // to Redis, a request; 0: not counted
	latency       []time.Duration
}

// A row compares the versions on one scenario.
type row struct {
	scenario
	through string
	turns   [2][]turn // of old and new, by round
}

// median returns the middle of the values, between the two in the middle if their
// number is even.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// percentile returns the smallest value that at least that part of them do not
// exceed; part is from 0 to 1.
func percentile(sorted []time.Duration, part float64) time.Duration {
	i := int(part*float64(len(sorted))+0.999999) - 1
	return sorted[min(max(i, 0), len(sorted)-1)]
}

// compared returns two cells: the figure of the old version and of the new, and their
// ratio, new by old, with its range. Ratios are of the turns of a round.
func compared(turns [2][]turn, format string, of func(turn) float64) (figures, ratio string) {
	var before, after, ratios []float64
	for i, old := range turns[0] {
		before, after = append(before, of(old)), append(after, of(turns[1][i]))
		ratios = append(ratios, after[i]/before[i])
	}
	return fmt.Sprintf(format+" -> "+format, median(before), median(after)),
		fmt.Sprintf("%.2f (%.2f-%.2f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
}

// latencies returns a cell: the percentile of all requests of the old version and of
// the new, in milliseconds.
func latencies(turns [2][]turn, part float64) string {
	var cells [2]string
	for i := range turns {
		var all []time.Duration
		for _, t := range turns[i] {
			all = append(all, t.latency...)
		}
		slices.Sort(all)
		cells[i] = fmt.Sprintf("%.2f", float64(percentile(all, part))/float64(time.Millisecond))
	}
	return cells[0] + " -> " + cells[1]
}

// writeTable writes the rows as a table in Markdown.
func writeTable(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 0, 1, ' ', 0)
	line := func(cells ...string) { _, _ = fmt.Fprintln(w, "| "+strings.Join(cells, "\t| ")+"\t|") } // Flush has the error
	head := []string{
		"users", "through", "request", "CPU us", "ratio", "server us", "Redis us", "allocations", "ratio", "KB",
		"round trips", "p50 ms", "p99 ms",
	}
	line(head...)
	line(slices.Repeat([]string{"---"}, len(head))...)
	for _, r := range rows {
		together, ratio := compared(r.turns, "%.0f", func(t turn) float64 { return t.server + t.redis })
		server, _ := compared(r.turns, "%.0f", func(t turn) float64 { return t.server })
		redis, _ := compared(r.turns, "%.0f", func(t turn) float64 { return t.redis })
		allocs, allocsRatio := compared(r.turns, "%.0f", func(t turn) float64 { return t.allocs })
		kb, _ := compared(r.turns, "%.1f", func(t turn) float64 { return t.kb })
		trips := ""
		if r.through == viaLambda {
			trips, _ = compared(r.turns, "%.2f", func(t turn) float64 { return t.trips })
		}
		line(strconv.Itoa(r.users), r.through, r.name, together, ratio, server, redis, allocs, allocsRatio,
			kb, trips, latencies(r.turns, 0.5), latencies(r.turns, 0.99))
	}
	return w.Flush()
}
