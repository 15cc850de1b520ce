package record

import "time"

// WriteWithin sets how long after its read a write is made.
func (r *Recorder) WriteWithin(d time.Duration) { r.within = d }
