package stream

import (
	"os"
	"strconv"
	"testing"
)

// Soak is how many activities a random test takes: n, or what LAUREL_SOAK says.
func Soak(tb testing.TB, n int) int {
	tb.Helper()
	text := os.Getenv("LAUREL_SOAK")
	if text == "" {
		return n
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		tb.Fatalf("LAUREL_SOAK=%q is not a number", text)
	}
	return n
}
