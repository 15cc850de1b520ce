// Package nightly moves periods that are due from Redis into the archive, every night. It
// decides only the order of the steps; the stores do them.
//
// Each of the forum's days has one night. Nights says when it is due, from the day's start
// until a run has left nothing, and when one that failed is tried again (schedule.go).
//
// First a run has Redis have what the table is the first to have, such as the closed-period
// set, which a failover may have lost. Then it proves the journal: it merges what was
// accepted since the last sealed day, up to ten minutes ago, into the pages. That changes
// nothing on a good night. Then it seals those days. Until both succeed, the run closes
// nothing: rows that they would mend would be too late.
//
// For each period that is due, the oldest end first and days before their month, a run
// closes it to writes, writes it to the archive (which reads everything back and writes
// the manifest last), and only then removes it from Redis. With the last board of a day
// that has entries by day it removes the day's pages; when all boards of a month are moved,
// the month's.
//
// An import in progress has marked its months. Of them a run closes nothing, no day, week,
// month or year, and with boards of longer windows no later month, so that the totals of
// users are kept month after month. A mark is looked at again just before each closing.
//
// Then it handles articles: votes that cannot change become final; an article below the
// first 10,000 of all its lists leaves them and is written to the archive; a day later or
// more, if the archive has the same data, it is removed from Redis.
//
// It promises that nothing is lost: after a run that stopped anywhere, was repeated or
// ran twice at once, every entry is in Redis or in the archive, and the archive has the
// same bytes as after an undisturbed run. A board that is in the archive already is
// compared with its entries in Redis before these are removed. An error with one period
// does not stop the others; periods that do not fit before the deadline are listed, and
// the next run continues with them.
//
// A period that was reopened (package recovery) is closed and filled from the journal once
// more, then its board replaces the archive's copy, in one write of the manifest. One that
// is being reopened is left, with the pages of its month.
package nightly
