package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// A table gathers lines: figures, and those that have a bar to reach.
type table struct {
	lines  []string
	bars   int
	missed int
}

func (t *table) section(title string) {
	t.lines = append(t.lines, "", strings.ToUpper(title[:1])+title[1:])
}

func (t *table) figure(name, value string) {
	t.lines = append(t.lines, fmt.Sprintf("  %s\t%s", name, value))
}

func (t *table) least(name string, value, bar float64) {
	t.bar(name, value, fmt.Sprintf("at least %.4g", bar), value >= bar)
}

func (t *table) most(name string, value, bar float64) {
	t.bar(name, value, fmt.Sprintf("at most %.4g", bar), value <= bar)
}

func (t *table) bar(name string, value float64, bar string, reached bool) {
	verdict := "pass"
	if t.bars++; !reached {
		t.missed++
		verdict = "MISS"
	}
	t.lines = append(t.lines, fmt.Sprintf("  %s\t%.2f\t%s\t%s", name, value, bar, verdict))
}

func (t *table) write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, line := range t.lines {
		_, _ = fmt.Fprintln(w, line) // it keeps the first error for Flush
	}
	_, _ = fmt.Fprintf(w, "\n%d of %d bars reached\n", t.bars-t.missed, t.bars)
	return w.Flush()
}

// ratio is the median of the rounds' ratios.
func ratio(a, b []float64) float64 {
	ratios := make([]float64, min(len(a), len(b)))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios)
}

func clone(values []float64) []float64 { return slices.Clone(values) }

// thousands writes a number as 1,000,000.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
