// Package e2e runs the built functions as AWS Lambda does, and its tests are
// Laurel's end-to-end tests: the functions' binaries, built with the Makefile's
// flags, between the events that AWS sends and a real Redis and DynamoDB Local.
//
//	err := e2e.Build(ctx, root, dir, runtime.GOARCH, "record")
//	f, err := e2e.Start(e2e.Options{Binary: e2e.Binary(dir, "record"), Environment: env})
//	defer f.Stop()
//	startup, err := f.Ready(ctx)     from exec to the first poll
//	answer, err := f.Invoke(ctx, e2e.Request("GET", "/v1/rules", "", e2e.Caller{}))
//
// A function sees of Lambda its environment (and nothing of this machine's), the
// runtime API (version 2018-06-01) with the headers of an event, one event a poll,
// and a deadline with a kill after it. A function that polls more than once at a
// time gets as many events. A process that ends is not started again.
//
// Processes are not frozen between events, their memory is not limited, and there
// are no extensions.
//
// The protocol: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
//
// The tests with the build tag sam run the stack of template.yaml with sam, in
// containers: make test-sam.
package e2e
