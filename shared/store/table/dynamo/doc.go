// Package dynamo stores the items in a table of DynamoDB, for functions and for the command line with an endpoint.
//
// It promises the behaviour that internal/tabletest requires of every Store, and uses a fixed set of DynamoDB's
// operations for the functions' roles. It retries transient errors, with a limit. Only Open and Ensure create a
// table, for the command line.
package dynamo
