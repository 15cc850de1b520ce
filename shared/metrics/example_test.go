package metrics_test

import (
	"context"
	"os"
	"time"

	"laurel/shared/metrics"
)

// A read that made one round trip.
func Example() {
	noon := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	meter := metrics.New(os.Stdout, "Laurel", func() time.Time { return noon })
	ctx, work := meter.Begin(context.Background(), "read-board")
	metrics.From(ctx).Trip()
	work.End(false)
	// Output: {"Errors":0,"Latency":0,"Operation":"read-board","RoundTrips":1,"_aws":{"CloudWatchMetrics":[{"Dimensions":[["Operation"]],"Metrics":[{"Name":"Latency","Unit":"Milliseconds"},{"Name":"RoundTrips","Unit":"Count"},{"Name":"Errors","Unit":"Count"}],"Namespace":"Laurel"}],"Timestamp":1795176000000}}
}
