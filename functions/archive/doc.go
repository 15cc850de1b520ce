// Command archive is the Lambda function of what nobody waits for: EventBridge Scheduler
// starts it every few minutes for a tick (package night), which compares the view with the table
// where that is needed and has periods that are due take their steps. Operators have it do their
// commands, in slices (package operate).
package main
