// Package stream makes random activities for tests and for the soak: few users
// and targets, moments that crowd around midnights, month ends and clock
// changes, toggles, equal moments, and caps low enough to be met from both
// sides. The same seed makes the same stream.
package stream
