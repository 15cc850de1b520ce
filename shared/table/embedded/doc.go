// Package embedded stores the items in one file, for a single process: laurel
// dev, and tests. It counts the units that DynamoDB would consume.
//
// It promises what tabletest requires of every Store. No function uses it.
package embedded
