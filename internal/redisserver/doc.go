// Package redisserver brings a real Redis or Valkey server to whoever needs one
// on this machine: the tests (through package redistest) and make bench.
//
// It looks, in this order, for an address in LAUREL_TEST_REDIS, a redis-server
// or valkey-server on PATH, a container engine that answers, and the system's
// own package, which it installs. LAUREL_TEST_SERVER=redis or valkey leaves only
// that one; the address of a Valkey is in LAUREL_TEST_VALKEY. It promises to say in one line which it was,
// and when nothing works to fail with the one line that helps.
//
// A server that it starts listens on 127.0.0.1 alone, keeps nothing on disk and
// ends with the process that started it, even if that is killed. It is not for
// production.
package redisserver
