// Package export gathers all that Laurel keeps of a user, for that user: the counterpart of
// package erasure.
//
// It promises that whatever an erasure would remove because it holds the user is told, and
// how far an erasure is. Copies of the same in Redis and the table are told once. What others
// keep of the user, on their follow lists, is a number. Nothing is locked meanwhile: what
// changes during an export may be in it or not.
package export
