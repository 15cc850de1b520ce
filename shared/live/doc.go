// Package live keeps the pages and boards that can still change, in Redis.
//
// It moves bytes: what an activity does is decided in package ledger, and a
// script compares and sets. It promises that what it answered is stored, pages
// and boards together; that a batch is recorded in two round trips and a board
// is read in one, whatever their size; and that a retry of anything, by the
// client or by the caller, changes nothing more; and that a user who is hidden or
// excluded is on no board that can still change. It does not promise that all
// users of a batch are recorded at one moment: each is on its own.
//
// Deliberate exceptions to the number of round trips, each beside its code:
// a conflict (record.go), a script that the server has lost (script.go), and
// boards in more than one shard (sharded.go, friends.go, follows.go), what a hidden
// user is told of oneself (friends.go, own.go), changes of a user's status
// (status.go), erasing (erase.go), and what the nightly run does (periods.go,
// entries.go, remove.go, putback.go).
//
// Articles, their lists and votes are here too (articles.go). A vote is recorded
// with its activity, in the same two round trips: each of pages and votes is stored
// whole or not at all, and when one of the two is not, the answer is an error, and
// recording again mends it. A list of articles is read in one round trip, with the
// authors' names. Exceptions: a change of an article while others change it
// (articles.go), erasing a user (article_erase.go) and the nightly run
// (article_settle.go).
package live
