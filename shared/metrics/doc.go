// Package metrics writes metrics of requests and batches in CloudWatch's embedded
// metric format: one JSON object a line, which CloudWatch Logs turns into metrics when it
// ingests the line, without a call that a request waits for.
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html)
//
//	by dimension Operation   Latency (ms), RoundTrips (to Redis), Errors (0 or 1)
//	without a dimension      counters: ActivitiesCounted, QueueFailures...
//
// It promises whole lines that tell of each piece of work, also under concurrency, and that
// names and dimensions are constants of the program: a line never has an id or a text
// of a request. A nil Meter measures and writes nothing.
package metrics
