// Package people keeps users' profiles: name, avatar and link. The table has the
// profiles and Redis has copies, so that a board is read with names in one round trip.
//
// It promises that a missing copy is filled from the table; that of copies written and
// filled at the same time the newest stays, by its version; that a copy reads back to
// its profile; that a reader never restores the copy of a user who was erased since;
// and that a board is never refused for its names: without the table it has those that
// Redis has. It does not know how the two store them.
package people
