// Command events is the Lambda function that sends what waits in the table to the addresses of the
// rules, each minute. It is outside the network, which has no way out, and reaches no cache.
package main
