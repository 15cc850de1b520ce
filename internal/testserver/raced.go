//go:build race

package testserver

// raced says whether the race detector watches.
const raced = true
