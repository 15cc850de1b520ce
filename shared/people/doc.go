// Package people keeps what users are called: the profile that a forum gives its
// users. The truth is in the table, and Redis has copies, so that a board comes with
// names in its one round trip.
//
// It promises that a copy which is missing is filled again from the table; that of
// what is written and filled at the same time the newest stays, by its version alone;
// that a copy reads back to the profile that it was made of; that nobody who was
// erased is filled again by who has read before; and that a board is never refused
// for its names: without the table it has those that Redis knows. It does not know
// where the two are kept.
package people
