// Package samtest tests the stack of template.yaml as sam builds it and runs it in
// containers: make test-sam, which is part of make check.
//
// Its tests have the build tag sam, because they take a minute or two and bring a
// Docker engine and aws-sam-cli. They promise that what sam ships is what is in the
// tree, that each function does with its sample events what the API promises, and
// that this is stored in Redis and DynamoDB; nothing about what only AWS has: the
// authorizer, the queue's deliveries, the schedule, the roles.
//
// The functions run in the official base image of their runtime. Where it cannot be
// had, they run in a stand-in, an image with a static shell and nothing else, and
// the test says so. In both, sam's own emulator of the runtime runs them.
package samtest
