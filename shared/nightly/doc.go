// Package nightly moves what is final out of Redis: the run of every night, and
// the way back for a period that has to be opened again. It decides the order of
// the steps only; package live and package archive do them.
//
// For each period that is due, the oldest end first and days before their month:
// close it to writes, write it to the archive (which reads all of it back and
// puts the manifest last), and only then remove it from Redis. When every board
// that a month's pages count for is gone, the pages follow.
//
// Articles follow: votes that can't change any more become final; an article that is
// out of the first 10,000 of all its lists leaves them, and is written to the
// archive; a day later at the earliest, when the archive has it just so, Redis
// forgets it.
//
// It promises that nothing is lost: stopped at any point, done twice, or done by
// two at once, every entry is in Redis or in the archive, whole, and the archive
// has the bytes of a run that nothing has happened to. What it finds in the
// archive already it compares with what is left in Redis before that goes. A
// period that fails does not keep the others from being moved; what does not fit
// before the deadline is named, and the next run goes on there.
//
// It does not promise that a Restore beside a run that is under way succeeds: one
// of them may fail, and is to be done again. Undos that met the period while it
// was final are not on a restored board; `laurel audit --repair` catches up with
// them as long as the ledger's month is open.
package nightly
