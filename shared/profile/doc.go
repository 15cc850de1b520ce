// Package profile knows what a user is called: the profile that a forum gives its
// users, what is wrong with one, and the text that a copy of it is.
//
// It promises that a copy reads back to the profile that it was made of, and that
// of two copies the newer one can be told by its version alone. It does not know
// where profiles are kept.
package profile
