// Command archive is the Lambda function of the nightly run: EventBridge Scheduler starts
// it to move periods that are due from Redis into the archive. Operators have it do their
// commands, in slices (package operate).
package main
