package testserver

import "os"

// Times returns how often a test does what takes long: quick, or long when
// LAUREL_LONG is set, as make check-long does.
func Times(quick, long int) int {
	if os.Getenv("LAUREL_LONG") != "" {
		return long
	}
	return quick
}
