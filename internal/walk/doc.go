// Package walk compares Laurel with a model of one page (model_test.go) on random walks through the acts of users and
// operators and the faults of processes and stores: three processes whose steps are nested in each other's, killed at
// any call, or whose answers are lost; a Redis that is emptied, rolled back, full or unavailable, or loses single
// keys.
package walk
