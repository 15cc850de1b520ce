package localserver

import "time"

// Clock returns a clock that shows start now and runs on from there. The zero
// start is the real time.
func Clock(start time.Time) func() time.Time {
	if start.IsZero() {
		return time.Now
	}
	began := time.Now()
	return func() time.Time { return start.Add(time.Since(began)) }
}
