// Package boards keeps the boards that can still change, in Redis, and reads them.
//
// It promises that a board is read in one round trip, with everybody's copy of the
// profile, whatever its size; that the parts of an answer are of one moment where
// the board is in one shard; that a board is removed only while its period is
// closed; and that the copies of profiles of a user who was erased do not
// come back.
//
// Deliberate exceptions to the number of round trips, each beside its code: somebody
// new on a page that was read before (known.go), boards in more than one shard
// (sharded.go, friends.go, following.go), what a hidden user is told of oneself
// (friends.go, own.go), and what the nightly run does (periods.go, entries.go,
// remove.go).
package boards
