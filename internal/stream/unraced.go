//go:build !race

package stream

// raced says whether the race detector watches.
const raced = false
