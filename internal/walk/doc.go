// Package walk holds Laurel against a model of one page (model_test.go) on random walks through
// what users and operators do and what happens to processes and stores: three processes whose steps
// are nested in each other's, killed at any call, or whose answers are lost; a Redis that is emptied,
// rolled back, full or unavailable, or loses single keys.
package walk
