// Package embedded keeps the archive's items in one file, for a single process:
// laurel dev, and tests. It counts the units that DynamoDB would have.
//
// It promises what archivetest asks of every Store. It is no part of a function.
package embedded
