package metrics_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"laurel/shared/core/metrics"
)

// ticking is a clock that advances by 12.5 ms with every call.
func ticking() func() time.Time {
	now := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(12500 * time.Microsecond)
		return now
	}
}

// lines reads the lines that a meter wrote.
func lines(t *testing.T, out *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for text := range strings.Lines(out.String()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		all = append(all, line)
	}
	return all
}

// A line has the metrics of one piece of work.
func TestLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	meter := metrics.New(&out, metrics.Options{Namespace: "Laurel", Now: ticking()})
	ctx, work := meter.Begin(t.Context(), "report-activities")
	if metrics.From(ctx) != work {
		t.Error("the context does not carry the work")
	}
	metrics.CountTrip(ctx, 0)
	metrics.CountTrip(ctx, 0)
	work.Activity("counted")
	work.Activity("counted")
	work.Activity("nothing_to_revoke")
	work.Count("QueueFailures", 0)
	work.End(true)
	want := `{"ActivitiesCounted":2,"ActivitiesNothingToRevoke":1,"Errors":1,"Latency":12.5,` +
		`"Operation":"report-activities",` +
		`"QueueFailures":0,"RoundTrips":2,` +
		`"_aws":{"CloudWatchMetrics":[` +
		`{"Dimensions":[["Operation"]],"Metrics":[{"Name":"Latency","Unit":"Milliseconds"},` +
		`{"Name":"RoundTrips","Unit":"Count"},{"Name":"Errors","Unit":"Count"}],"Namespace":"Laurel"},` +
		`{"Dimensions":[[]],"Metrics":[{"Name":"ActivitiesCounted","Unit":"Count"},` +
		`{"Name":"ActivitiesNothingToRevoke","Unit":"Count"},{"Name":"QueueFailures","Unit":"Count"}],` +
		`"Namespace":"Laurel"}],` +
		`"Timestamp":1795176000025}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Work that is finished within a time of a line is in one with others of its operation, with the time of
// the last: as many values as the format takes, and the sums of counters.
func TestLinesAreGathered(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	meter := metrics.New(&out, metrics.Options{
		Namespace: "Laurel", Now: func() time.Time { return now }, Every: 10 * time.Second,
	})
	work := func(operation string, after time.Duration, failed bool) {
		ctx, w := meter.Begin(t.Context(), operation)
		w.Activity("counted")
		metrics.CountTrip(ctx, 0)
		now = now.Add(after)
		w.End(failed)
	}
	work("read-board", time.Second, false) // the first of a process, or after a pause
	if all := lines(t, &out); len(all) != 1 || all[0]["Latency"] != 1000.0 {
		t.Errorf("at first: %v", all)
	}
	out.Reset()
	for range 3 {
		work("read-board", 2*time.Second, false)
	}
	work("report-activities", time.Second, true)
	if out.Len() > 0 {
		t.Errorf("before 10 seconds: %s", &out)
	}
	work("read-board", 3*time.Second, true)
	all := lines(t, &out)
	if len(all) != 2 || all[1]["Errors"] != 1.0 || all[1]["ActivitiesCounted"] != 1.0 {
		t.Fatalf("%v", all)
	}
	want := map[string]any{
		"Operation": "read-board", "Latency": []any{2000.0, 2000.0, 2000.0, 3000.0}, "RoundTrips": []any{1.0, 1.0, 1.0, 1.0},
		"Errors": []any{0.0, 0.0, 0.0, 1.0}, "ActivitiesCounted": 4.0,
	}
	ended := all[0]["_aws"].(map[string]any)["Timestamp"]
	if delete(all[0], "_aws"); cmp.Diff(want, all[0]) != "" || ended != float64(now.UnixMilli()) {
		t.Errorf("%v: %s", ended, cmp.Diff(want, all[0]))
	}
	out.Reset()
	for range 250 {
		work("read-board", time.Millisecond, false)
	}
	if all := lines(t, &out); len(all) != 2 || len(all[0]["Latency"].([]any)) != 100 {
		t.Errorf("of 250: %d lines", len(all))
	}
}

// Concurrent work is counted completely, and lines do not mix.
func TestConcurrentWork(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	meter := metrics.New(&out, metrics.Options{Namespace: "Laurel", Now: ticking()})
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			ctx, work := meter.Begin(t.Context(), "report-activities")
			var parts sync.WaitGroup
			for range 4 {
				parts.Go(func() { work.Activity("counted"); metrics.CountTrip(ctx, 0) })
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

// Without a namespace nothing is measured; callers need no check.
func TestOff(t *testing.T) {
	t.Parallel()
	meter := metrics.New(nil, metrics.Options{})
	ctx, work := meter.Begin(t.Context(), "report-activities")
	metrics.CountTrip(ctx, 0)
	work.Count("x", 1)
	work.Activity("counted")
	work.End(true)
	if meter != nil || work != nil || metrics.From(ctx) != nil {
		t.Error(meter, work)
	}
}
