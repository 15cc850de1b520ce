// Package archivetest says what an archive.Store has to do, as tests:
//
//	archivetest.Exercise(t, func(t *testing.T, now func() time.Time) archive.Store { ... })
//
// It promises that a Store that passes can stand in for any other: in conditions,
// order, limits, expiry, errors, and under many writers. It says nothing of how a
// Store treats trouble of its own kind, such as throttling, nor of its speed.
package archivetest
