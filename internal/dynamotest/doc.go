// Package dynamotest gives tests and benchmarks a DynamoDB Local, found or brought
// by package dynamoserver.
//
//	dynamotest.Table(t)    a Store on an empty table
//	dynamotest.Options(t)  how a table of the test's own is reached, which is not there yet
//	dynamotest.URL(t)      the address alone
//	dynamotest.Faults      what stands between a client and the server and makes trouble
//
// It promises every test a table that no other test sees, parallel ones and those
// of other test binaries included, and that no server outlives the test binary.
// The server is started by the first test that asks, in three seconds, and shared
// by all of the binary. A test without a server fails, with the line that helps;
// it is never skipped.
package dynamotest
