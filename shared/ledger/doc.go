// Package ledger is the truth behind every board: what each user has been
// credited with, and when. It decides what an activity does; it moves no bytes.
//
// What a user did to one target in a day or a month is an entry of four
// moments, each a minimum or a maximum, so that the order and the number of
// deliveries cannot matter. Entries live on pages, one for a user's month and
// one for each day with entries of its own. Needs says which pages a user's
// activities take, and Decide merges the activities into them: it returns a receipt
// for each and what to write, which are the pages that differ, the new scores, and
// who comes onto the user's follow list or leaves it.
//
// What was accepted is kept elsewhere as rows, each with the registers that it has
// changed: Merge makes the pages of rows in any order, or finds that they are as the
// rows say. Void undoes everything on a target.
//
// The package promises that the pages' bytes and the scores are a function of
// the set of activities applied (up to the limits of entries in package
// activity), that a score is never below zero, and that the points of receipts
// add up to what the month scores moved by. It does not promise that two
// Decisions of one user agree: who commits them must see to that.
//
// # Pages
//
// A page is a byte string. Moments are differences in milliseconds, each from the
// one before on the page, starting at base.
//
//	+--------+------+-----------------+-----+------------+
//	| format | base | number of groups| ... | CRC-32C, 4 |
//	+--------+------+-----------------+-----+------------+
//
//	group (one action, in order of their names)
//	+------+---------------------+-----------+------------------------+---------+---------+
//	| name | number of summaries | summaries | number of entries << 1 | entries | marked? |
//	|      |                     |           |               | marked |         |         |
//	+------+---------------------+-----------+------------------------+---------+---------+
//	name: a byte from 0x80 on for those in actionNames, else a text
//
//	summary of a day (month pages: what a day page, or a metric, adds to the day)
//	+---------------------------+---+---+-----------+
//	| days since summary before | n | k | k moments |   n: entries that stand, or the value
//	+---------------------------+---+---+-----------+   k: the earliest min(n, cap), or the decisive one
//
//	entry (in order of first, else undone, else restored)
//	+-----+--------+
//	| key | moment |   the first that there is
//	+-----+--------+
//
//	marked: the entries that were not just done once
//	+--------+---------------------------+-------+-------------+---------+-----------+-----+
//	| number | entries since marked one  | flags | last-first? | undone? | restored? | ... |
//	+--------+---------------------------+-------+-------------+---------+-----------+-----+
//	flags: 1 done, 2 last differs, 4 undone, 8 restored; undone and restored are told
//	from the one before
//
// Numbers, texts, keys and the checksum at the end are as package codec says.
//
// The totals page is a list of what each month came to, by board. The follows page
// lists targets in the order of their hashes, without their ids; the status page is a
// byte of bits: 1 hidden, 2 excluded, 4 public days, 8 shadowed.
//
//	follows
//	+--------+------+-------------------+-----+------------+
//	| format | base | number of targets | ... | CRC-32C, 4 |
//	+--------+------+-------------------+-----+------------+
//
//	target (8 bytes of its id's SHA-256; the moment is last, or undone where never followed)
//	+---------+------------------------------+--------------+
//	| hash, 8 | moment - base << 2 | flags   | undone-last? |   flags: followed, unfollowed
//	+---------+------------------------------+--------------+
//
// # Formats
//
// The format is a number that no other kind of page has, or had: 2 totals, 8 a month's
// or a day's page, before it 5, 6 follows, 7 status, before it 4. Whoever changes what the
// bytes of a page mean gives its kind the next free number, 9 now, and
//
//   - either registers an upgrade under the old number, which makes of such a page one of
//     the format that followed: upgrades run one after the other when a page is read, and
//     the page is written in the new format when it changes next (until then an audit finds
//     the pages of months, and its repair writes them);
//   - or registers none: then the program refuses such pages with ErrFormat, and they are
//     made anew by merging the rows of the journal into none.
//
// A program never writes a page that it refuses to read, so two versions may run at once:
// the earlier one fails on what the later one has written, and harms nothing.
package ledger
