package metrics_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/ledger"
	"laurel/shared/metrics"
)

// ticking is a clock that goes on by 12.5 ms with every look.
func ticking() func() time.Time {
	at := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(12500 * time.Microsecond)
		return at
	}
}

// lines reads what a meter wrote, and holds each line against the specification.
func lines(t *testing.T, out *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if fault := unspecified(line); fault != "" {
			t.Errorf("%s: %s", fault, text)
		}
		all = append(all, line)
	}
	return all
}

// units are those of the specification that Laurel has a use for.
var units = []string{"Seconds", "Microseconds", "Milliseconds", "Bytes", "Count", "Percent", "None"}

// unspecified says what of a line is not as the specification's schema has it.
func unspecified(line map[string]any) string {
	about, _ := line["_aws"].(map[string]any)
	at, whole := about["Timestamp"].(float64)
	if !whole || at != float64(int64(at)) || at < 1e12 || at > 1e13 || len(about) != 2 {
		return "the Timestamp is no whole number of milliseconds, or there is something beside it"
	}
	directives, _ := about["CloudWatchMetrics"].([]any)
	if len(directives) == 0 {
		return "there are no directives"
	}
	for _, d := range directives {
		d, _ := d.(map[string]any)
		if namespace, _ := d["Namespace"].(string); namespace == "" || len(namespace) > 255 || len(d) != 3 {
			return "the Namespace is none, or there is something unknown in the directive"
		}
		if fault := dimensions(line, d["Dimensions"]); fault != "" {
			return fault
		}
		if fault := definitions(line, d["Metrics"]); fault != "" {
			return fault
		}
	}
	return ""
}

// dimensions have to name members of the line that are strings.
func dimensions(line map[string]any, of any) string {
	sets, _ := of.([]any)
	if len(sets) == 0 {
		return "there is no set of dimensions"
	}
	for _, set := range sets {
		names, ok := set.([]any)
		if !ok || len(names) > 30 {
			return "a set of dimensions is no array of up to 30"
		}
		for _, name := range names {
			name, _ := name.(string)
			value, ok := line[name].(string)
			if !ok || name == "" || len(name) > 250 || value == "" || len(value) > 1024 {
				return fmt.Sprintf("the dimension %q names no text", name)
			}
		}
	}
	return ""
}

// definitions have to name members of the line that are numbers, or up to 100 of
// them.
func definitions(line map[string]any, of any) string {
	all, _ := of.([]any)
	if len(all) == 0 || len(all) > 100 {
		return fmt.Sprintf("a directive has %d metrics", len(all))
	}
	for _, one := range all {
		one, _ := one.(map[string]any)
		name, _ := one["Name"].(string)
		unit, _ := one["Unit"].(string)
		if name == "" || len(name) > 1024 || !slices.Contains(units, unit) || len(one) != 2 {
			return fmt.Sprintf("the metric %v is none", one)
		}
		switch value := line[name].(type) {
		case float64:
		case []any:
			if len(value) > 100 || slices.ContainsFunc(value, func(v any) bool { _, ok := v.(float64); return !ok }) {
				return fmt.Sprintf("the metric %s has values that are none, or too many", name)
			}
		default:
			return fmt.Sprintf("the metric %s has no value", name)
		}
	}
	return ""
}

// A line is what one piece of work came to.
func TestLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	ctx, work := metrics.New(&out, "Laurel", ticking()).Begin(t.Context(), "report-activities")
	if metrics.From(ctx) != work {
		t.Error("the context does not carry the work")
	}
	work.Trip()
	work.Trip()
	work.Activity("counted")
	work.Activity("counted")
	work.Activity("nothing_to_revoke")
	work.Count("QueueFailures", 0)
	work.End(true)
	want := `{"ActivitiesCounted":2,"ActivitiesNothingToRevoke":1,"Errors":1,"Latency":12.5,"Operation":"report-activities","QueueFailures":0,"RoundTrips":2,` +
		`"_aws":{"CloudWatchMetrics":[` +
		`{"Dimensions":[["Operation"]],"Metrics":[{"Name":"Latency","Unit":"Milliseconds"},{"Name":"RoundTrips","Unit":"Count"},{"Name":"Errors","Unit":"Count"}],"Namespace":"Laurel"},` +
		`{"Dimensions":[[]],"Metrics":[{"Name":"ActivitiesCounted","Unit":"Count"},{"Name":"ActivitiesNothingToRevoke","Unit":"Count"},{"Name":"QueueFailures","Unit":"Count"}],"Namespace":"Laurel"}],` +
		`"Timestamp":1795176000025}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	lines(t, &out)
}

// Every status, and more names than a directive may have, stay within the
// specification.
func TestLinesAreAsSpecified(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	meter := metrics.New(&out, "Laurel/forum", ticking())
	_, idle := meter.Begin(t.Context(), "read-board")
	idle.End(false)
	_, work := meter.Begin(t.Context(), "report-activities")
	for _, s := range ledger.Statuses() {
		work.Activity(string(s))
	}
	for i := range 200 {
		work.Count(fmt.Sprint("Name", i), i)
	}
	work.End(false)
	all := lines(t, &out)
	if len(all) != 2 || all[0]["Errors"] != 0.0 || all[1]["ActivitiesTooLate"] != 1.0 {
		t.Errorf("%v", all)
	}
	// The check can fail.
	all[0]["Latency"] = "12"
	if unspecified(all[0]) == "" {
		t.Error("text passes for a number")
	}
}

// Work of many at once is counted whole, and lines do not mix.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	meter := metrics.New(&out, "Laurel", ticking())
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			_, work := meter.Begin(t.Context(), "report-activities")
			var parts sync.WaitGroup
			for range 4 {
				parts.Go(func() { work.Activity("counted"); work.Trip() })
			}
			parts.Wait()
			work.End(false)
		})
	}
	all.Wait()
	written := lines(t, &out)
	if len(written) != 32 {
		t.Errorf("%d lines", len(written))
	}
	for _, line := range written {
		if line["ActivitiesCounted"] != 4.0 || line["RoundTrips"] != 4.0 {
			t.Errorf("%v", line)
		}
	}
}

// Without a namespace nothing is measured, and nobody has to ask.
func TestOff(t *testing.T) {
	t.Parallel()
	meter := metrics.New(nil, "", nil)
	ctx, work := meter.Begin(t.Context(), "report-activities")
	work.Trip()
	work.Count("x", 1)
	work.Activity("counted")
	work.End(true)
	if meter != nil || work != nil || metrics.From(ctx) != nil {
		t.Error(meter, work)
	}
}
