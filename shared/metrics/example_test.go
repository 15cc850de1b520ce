package metrics_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"laurel/shared/metrics"
)

// A read that made one round trip.
func Example() {
	noon := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	var line strings.Builder
	meter := metrics.New(&line, "Laurel", func() time.Time { return noon })
	ctx, work := meter.Begin(context.Background(), "read-board")
	metrics.From(ctx).Trip()
	work.End(false)
	measured, _, _ := strings.Cut(line.String(), `,"_aws"`)
	fmt.Println(measured) // then the part that says which of these are metrics
	// Output: {"Errors":0,"Latency":0,"Operation":"read-board","RoundTrips":1
}
