// Package endtoend tests what ships: the functions' binaries, built with the
// Makefile's flags, run by an implementation of Lambda's runtime API, between the
// events that AWS sends and a real Redis and DynamoDB Local. It has no code of its
// own but tests.
//
// They promise that a binary starts and ends as Lambda wants it, that events of
// every kind are answered, and that what the answers say is what is stored. What
// the rules are is tested where the rules are.
package endtoend
