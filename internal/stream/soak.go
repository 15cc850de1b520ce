package stream

import (
	"os"
	"strconv"
	"testing"
)

// Soak is how many activities a random test takes: n, or what LAUREL_SOAK says. The
// race detector makes each take many times as long, so there it is a quarter of n;
// make test runs these tests without it too.
func Soak(tb testing.TB, n int) int {
	tb.Helper()
	text := os.Getenv("LAUREL_SOAK")
	if text == "" {
		if raced {
			return n / 4
		}
		return n
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatalf("LAUREL_SOAK=%q is not a number", text)
	}
	return n
}
