package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// The bars: record and query have them, archive runs at night and has none.
const (
	maxStartup    = 8 * time.Millisecond // the median
	maxSizeARM64  = 14_000_000           // bytes, stripped
	maxSizeX86_64 = 15_000_000
)

// writeTable writes the table of what was measured.
func writeTable(out io.Writer, taken map[string][]timing, sizes map[string]map[string]int64) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(cells ...string) { _, _ = fmt.Fprintln(w, strings.Join(cells, "\t")) } // it keeps the first error for Flush
	row("exec to first poll, ms", "p10", "median", "p90", "bar")
	for _, name := range functions {
		durations := each(taken[name], func(t timing) time.Duration { return t.startup })
		cells := quantiles(name, durations)
		if name != "archive" {
			cells = append(cells, against(quantile(durations, median) <= maxStartup, "8 ms"))
		}
		row(cells...)
	}
	row("first event, ms", "p10", "median", "p90")
	for _, name := range functions {
		row(quantiles(name, each(taken[name], func(t timing) time.Duration { return t.first }))...)
	}
	row("size, MB", "arm64", "amd64", "", "bar")
	for _, name := range functions {
		cells := []string{"  " + name, mb(sizes["arm64"][name]), mb(sizes["amd64"][name])}
		if name == "record" {
			cells = append(cells, "", against(sizes["arm64"][name] <= maxSizeARM64 && sizes["amd64"][name] <= maxSizeX86_64, "14 and 15 MB"))
		}
		row(cells...)
	}
	return w.Flush()
}

const median = 0.5

// quantiles are a function's cells: its name and what it took, from quick to slow.
func quantiles(name string, durations []time.Duration) []string {
	return []string{"  " + name, ms(quantile(durations, 0.1)), ms(quantile(durations, median)), ms(quantile(durations, 0.9))}
}

func against(met bool, bar string) string {
	if met {
		return "at most " + bar + ": met"
	}
	return "at most " + bar + ": MISSED"
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond)) }

func mb(bytes int64) string { return fmt.Sprintf("%.2f", float64(bytes)/1e6) }

func each(timings []timing, of func(timing) time.Duration) []time.Duration {
	durations := make([]time.Duration, len(timings))
	for i, t := range timings {
		durations[i] = of(t)
	}
	return durations
}

// quantile is the value that the given part of them do not exceed: the nearest, no
// mean of two.
func quantile(durations []time.Duration, part float64) time.Duration {
	sorted := slices.Sorted(slices.Values(durations))
	return sorted[int(part*float64(len(sorted)-1)+0.5)]
}
