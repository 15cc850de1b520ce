// Package table keeps the archive's items in a DynamoDB table: the Store of
// functions, and of whoever gives the command line an address.
//
// It promises what archivetest asks of every Store, and calls that a function's
// role can name one by one. It retries what is passing, in bounds, whatever its
// client does. Only Open and Ensure make a table, for the command line.
package table
