// Package embedded stores the items in one file, for a single process: laurel serve, laurel dev, and tests.
//
// It promises what internal/tabletest requires of every Store, and that what was written is on the disk when the call
// returns, of a store in a folder that is not told otherwise. No function uses it.
package embedded
