// Package vectors reports the activities of small JSON files to a server that speaks the API, and compares its boards
// with those of the files. The files are in the folder vectors of the repository; a test makes them by the reference.
package vectors
