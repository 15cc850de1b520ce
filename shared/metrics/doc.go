// Package metrics writes what requests and batches came to in CloudWatch's
// embedded metric format: one JSON object a line, which CloudWatch Logs turns into
// metrics as it takes the line in, without a call that somebody waits for.
// (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html)
//
//	by dimension Operation   Latency (ms), RoundTrips (to Redis), Errors (0 or 1)
//	without a dimension      what was counted: ActivitiesCounted, QueueFailures...
//
// It promises a line for each piece of work, whole, however many are done at once,
// and that names and dimensions are words of the program: no id and no text of a
// request is ever in it. A nil Meter measures nothing and writes nothing.
package metrics
