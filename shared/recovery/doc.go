// Package recovery fills Redis from the table: all of it when it was emptied, or the parts
// that were lost; replays a stretch of the journal; and makes a final period live again.
//
// It promises that, after Rebuild, every answer is what it was before Redis was emptied,
// to the last activity answered; that a rebuild that was interrupted anywhere can be run
// again; and that nothing is read from a part of Redis before it is whole, as the stamp
// comes last. It removes nothing, except where another number of shards is asked for.
//
// # What comes from where
//
//	closed periods    STATE in the table, without what was closed and not yet archived (closed.go)
//	articles, lists   ARTICLES; votes that are not final from the journal
//	void targets      VOIDS; the next pass carries them out again
//	statuses          STATUS
//	totals            final months in the archive, for windows longer than a month
//	follow lists      FOLLOWS, then the journal
//	pages, boards     the journal: seals, and drafts of the days that are not sealed
//	copies            of profiles fill themselves
//
// What is of a user before the moment of the user's tombstone is left out.
//
// # Interrupted
//
// All of it may be done again. Rows, which take the most time, go on after the last user who
// is saved in each part; a part that is lost once more has none.
//
// # Reopening
//
// Reopen marks the period in the closed-period set, in the table first, and the archive's
// manifest; merges the rows of the period into the pages while it is still closed; puts the
// users on the board; and opens it. Nothing is removed while the mark is there, and the
// archive's copy is read until the night replaces it. It holds the copy in memory.
//
// # Memory
//
// The rows are read sorted by user, so a rebuild holds a segment (1,000 rows) of each run
// that it reads, about 0.3 MB, and the rows of some chunks of users. A draft of a day holds
// the rows of 250,000, or of one hour if that has more: about 200 bytes each. Replay holds
// all rows of an hour.
//
// A second process that rebuilds beside is wasted, not harmful; the scheduled ones hold a lease.
//
// # After a failover
//
// What Redis has lost of its last writes is put right every hour, and before the night: Mend
// erases again who was erased, where the tombstone is lost too, and holds what is kept in the
// table against Redis; Replay merges the journal's rows. Boards
// and pages that were removed and are there again are removed by the night.
package recovery
