// Package ledger is the truth behind every board: the credits of each user, and their times. It decides the effect
// of an activity; it moves no bytes.
//
// A user's activities on one target in a day or a month are an entry of four moments, each a minimum or a maximum, so
// that the order and the number of deliveries cannot matter. Entries live in a user's ledger of a month, which is one
// item of the table. MonthsOf names the ledgers that a user's activities take, and DecideAccount merges the activities
// into them. VoidAccount undoes everything on a target. Places returns the scores of a ledger.
//
// The package promises that the ledgers' bytes and the scores are a function of the set of activities applied (up to
// the limits of entries), and that the points of receipts add up to the change of the month scores. The caller must
// write decisions under a condition, so that two on one user agree.
//
// # Items
//
// The item of a ledger holds a page of the month's entries, and one for each day that has its own and is not closed.
//
//	+--------+------+-------+------------+------+-----+-------+-----+---------+-----+------------+
//	| format | user | after | month page | days | ... | votes | ... | awards? | ... | CRC-32C, 4 |
//	+--------+------+-------+------------+------+-----+-------+-----+---------+-----+------------+
//
//	day, in order                vote, in the order of ids
//	+------+------+              +---------+------+
//	| date | page |              | article | vote |
//	+------+------+              +---------+------+
//
//	award, in the order of ids; a ledger without any has not even their number
//	+----+--------+--------+-------+--------+-------+
//	| id | moment | points | board | reason | flags |   flags: 1 taken back
//	+----+--------+--------+-------+--------+-------+
//
// In a page moments are differences in milliseconds, each from the one before on the page, starting at base.
//
//	+------+------------------+-----+
//	| base | number of groups | ... |
//	+------+------------------+-----+
//
//	group (one action, in order of their names)
//	+------+---------------------+-----------+------------------------+---------+---------+
//	| name | number of summaries | summaries | number of entries << 1 | entries | marked? |
//	|      |                     |           |               | marked |         |         |
//	+------+---------------------+-----------+------------------------+---------+---------+
//	name: a byte from 0x80 on for those in actionNames, else a text
//
//	summary of a day (month pages: the part of a day page, or of a metric)
//	+---------------------------+---+---+-----------+
//	| days since summary before | n | k | k moments |   n: entries that stand, or the value
//	+---------------------------+---+---+-----------+   k: the earliest min(n, cap), or the decisive one
//
//	entry (in order of first, else undone, else restored)
//	+-----+--------+
//	| key | moment |   the first that there is
//	+-----+--------+
//
//	A key without a target is the register of its ref: an undo or a restore by a ref alone, of every entry
//	of the action with that ref. They have its moments, and later ones get them from it.
//
//	marked: the entries that were not just done once, or have another person
//	+--------+---------------------------+-------+-------------+---------+-----------+-----------+-----+
//	| number | entries since marked one  | flags | last-first? | undone? | restored? | other, 8? | ... |
//	+--------+---------------------------+-------+-------------+---------+-----------+-----------+-----+
//	flags: 1 done, 2 last differs, 4 undone, 8 restored, 16 other person; undone and restored are
//	differences to the one before
//
// Numbers, texts, ids, keys and the checksum at the end are as package codec says. A change to the meaning of
// the bytes needs the next number of the format: a program that does not know it refuses the item.
package ledger
