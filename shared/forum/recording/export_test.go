package recording

import "time"

// SetWriteWithin sets how long after its read a write is made.
func (r *Recorder) SetWriteWithin(d time.Duration) { r.within = d }
