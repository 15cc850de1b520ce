// Package tabletest specifies table.Store by tests:
//
//	tabletest.Exercise(t, func(t *testing.T, now func() time.Time) table.Store { ... })
//
// It promises that a Store that passes can replace any other: in conditions, order,
// limits, expiry, errors, and with many writers. Operations at random are compared with a plain
// map. It does not test a Store's own kinds of error, such as throttling, nor its speed.
package tabletest
