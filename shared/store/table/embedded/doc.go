// Package embedded stores the items in one file, for a single process: laurel serve, laurel dev, and tests.
//
// It promises the behaviour that internal/tabletest requires of every Store, and that a write is on the disk when the
// call returns, unless the options say otherwise. No function uses it.
package embedded
