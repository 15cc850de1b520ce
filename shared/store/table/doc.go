// Package table defines the table of items beside Redis: items under two keys, conditional
// writes, and consistent reads. Package dynamo stores it in DynamoDB, package embedded in a
// file of one process; the tests in internal/tabletest specify both.
//
// It has DynamoDB's limits, and the compression of data. It does not know the contents of
// items.
package table
