// Package localserver runs the whole of Laurel in one process on a developer's
// machine: the same handler that the functions serve, a demo page at /, and at
// /dev/token a signer of test tokens for whoever asks. As it serves many requests at
// once, it keeps public answers for a moment.
//
// It promises to end cleanly: what is being answered when its context ends is answered. With Dev it is
// no server for production: anybody who reaches it may be anyone.
package localserver
