// Package config reads a function's environment: once, whole, and with all its
// faults in one error. It is the only place that looks at environment variables.
//
// It promises that what it returns can be used as it is: the zone is known, the
// rules are valid. It does not connect to anything.
package config
