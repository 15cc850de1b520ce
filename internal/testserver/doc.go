// Package testserver serves tests a real Redis or Valkey server and DynamoDB Local.
//
//	testserver.Redis(t)            a client on an empty database of the shared server
//	testserver.Counted(t, options) a client whose round trips are counted
//	testserver.OwnRedis(t)         a server of the test's own, which it may break
//	testserver.StartCluster(t, 3)  a cluster of three masters
//	testserver.DynamoDB(t)         the address of DynamoDB Local
//	testserver.Table(t)            a table name of the test's own
//
// The package starts the programs that are in the repository's .tools/bin or on PATH.
// LAUREL_TEST_SERVER=redis or valkey admits only that one. The package installs nothing
// and downloads nothing: without a server it ends the test binary with one line that
// names `make setup`. A test never skips.
//
// Every test gets an empty keyspace that no other test sees. A server started here listens on 127.0.0.1, keeps
// nothing on disk and ends with its process, even when that is killed. Scripts,
// settings, memory and FLUSHALL belong to a whole server: a test of these takes
// OwnRedis.
package testserver
