// Package strictjson reads JSON that strangers have written, in one pass over the
// bytes: every fault gets the place where it is, those of form and those of
// meaning come together, and a name is known only in its own spelling. The bytes
// must be JSON in UTF-8 without duplicate names, at most 10,000 deep: package
// jsontext sees to that.
//
// It promises that a Reader goes on after a fault, so that all of them are named,
// and stops at bytes that are not JSON with an error, of which Reason says what it
// is. It knows no shapes: what a document has to be is said by who reads it.
package strictjson
