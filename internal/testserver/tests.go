package testserver

import (
	"os"
	"strconv"
	"testing"
)

// Times returns the repetitions of a slow test: quick, or long when LAUREL_LONG is set, as make
// check-long does.
func Times(quick, long int) int {
	if os.Getenv("LAUREL_LONG") != "" {
		return long
	}
	return quick
}

// Rounds is Times for rounds with other random numbers. The race detector makes each round take
// many times as long, and finds its races in the first ones: there they are a quarter. make
// test runs these tests without it too.
func Rounds(quick, long int) int {
	if raced {
		return (quick + 3) / 4
	}
	return Times(quick, long)
}

// Step corresponds to Rounds, for a test that acts at one call and at each that many calls
// later. It is odd with the race detector, so that even and odd calls come by.
func Step(quick, long int) int {
	if raced {
		return 4*quick + 1
	}
	return Times(quick, long)
}

// Soak returns the number of activities in a random test: n, with the race detector a quarter
// as with Rounds, or the value of LAUREL_SOAK.
func Soak(tb testing.TB, n int) int {
	tb.Helper()
	text := os.Getenv("LAUREL_SOAK")
	if text == "" {
		return Rounds(n, n)
	}
	n, err := strconv.Atoi(text)
	must(tb, err)
	return n
}
