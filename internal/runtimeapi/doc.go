// Package runtimeapi runs a built function as AWS Lambda does: it starts the
// binary with an environment, serves it Lambda's runtime API (version 2018-06-01),
// hands it events and returns what it answers.
//
//	f, err := runtimeapi.Start(runtimeapi.Options{Binary: "dist/record/bootstrap", Environment: env})
//	defer f.Stop()
//	startup, err := f.Ready(ctx)     from exec to the first poll
//	answer, err := f.Invoke(ctx, event)
//
// It promises what a function can see of Lambda: the environment (and nothing of
// this machine's), the headers of an event, one event per poll, a deadline with a
// kill after it, and SIGTERM for who has registered an extension. A function that
// polls more than once at a time gets as many events. A process that ends is not
// started again: whoever asks gets an ExitError with what it printed. No process
// outlives the API that it polls: its next poll fails, and then it ends.
//
// It does not freeze a process between events, limit its memory, or filter its
// logs by level.
//
// The protocol: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
package runtimeapi
