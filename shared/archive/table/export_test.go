package table

import "time"

// Hurry makes a table wait a thousandth of what it does, and for a moment only for
// an attempt that does not answer. It returns how many attempts there are.
func (s *Store) Hurry() int {
	s.pace.first, s.pace.most, s.pace.patience = s.pace.first/1000, s.pace.most/1000, time.Second
	s.retryer = s.pace.retryer()
	return s.pace.attempts
}

// Delays are the shortest and the longest waits of a table after each failure.
func Delays() (shortest, longest []time.Duration) {
	for failures := 1; failures < steady.attempts; failures++ {
		least, most := steady.delay(failures), time.Duration(0)
		for range 2000 {
			d := steady.delay(failures)
			least, most = min(least, d), max(most, d)
		}
		shortest, longest = append(shortest, least), append(longest, most)
	}
	return shortest, longest
}
