// Package redistest gives tests and benchmarks a real Redis or Valkey server,
// found or brought by package redisserver.
//
//	redistest.Client(t)      a client on an empty database of the shared server
//	redistest.Wired(t)       the same, with its round trips counted
//	redistest.Own(t)         a server of the test's own, which it may break
//	redistest.Cluster(t, 3)  the addresses of a cluster of three masters
//
// It promises every test an empty keyspace that no other test sees, parallel ones
// included, and that no server outlives the test binary. The shared server is
// started by the first test that asks; no TestMain is needed. A test without a
// server fails, with the line that helps; it is never skipped.
//
// What belongs to a whole server and not to a database is shared: scripts,
// settings, the memory, FLUSHALL. A test of these takes Own.
package redistest
