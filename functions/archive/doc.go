// Command archive is the Lambda function of what nobody waits for: EventBridge Scheduler
// starts it every few minutes for what is pending, and for the nightly run when the forum's
// day has turned. Operators have it do their commands, in slices (package operate).
package main
