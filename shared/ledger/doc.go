// Package ledger is the truth behind every board: the credits of each user, and their times. It decides the effect of an activity; it moves no bytes.
//
// A user's activities on one target in a day or a month are an entry of four moments, each a minimum or a maximum, so
// that the order and the number of deliveries cannot matter. Entries live in a user's ledger of a month, which is one
// item of the table. MonthsOf says which ledgers a user's activities take, and DecideAccount merges the activities
// into them. VoidAccount undoes everything on a target. Places says what a ledger comes to, whoever has written it.
//
// The package promises that the ledgers' bytes and the scores are a function of the set of activities applied (up to
// the limits of entries), that a score is never below zero, and that the points of receipts add up to what the month
// scores moved by. That two decisions on one user agree, who writes them under a condition must see to.
//
// # Items
//
// The item of a ledger holds a page of the month's entries, and one for each day that has its own and is not closed.
//
//	+--------+------+-------+------------+------+-----+-------+-----+------------+
//	| format | user | after | month page | days | ... | votes | ... | CRC-32C, 4 |
//	+--------+------+-------+------------+------+-----+-------+-----+------------+
//
//	day, in order                vote, in the order of ids
//	+------+------+              +---------+------+
//	| date | page |              | article | vote |
//	+------+------+              +---------+------+
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
//	A key without a target is the register of its ref: an undo or a restore by a ref alone, which is of every entry
//	of the action with that ref. They have its moments, and later ones get them from it.
//
//	marked: the entries that were not just done once
//	+--------+---------------------------+-------+-------------+---------+-----------+-----+
//	| number | entries since marked one  | flags | last-first? | undone? | restored? | ... |
//	+--------+---------------------------+-------+-------------+---------+-----------+-----+
//	flags: 1 done, 2 last differs, 4 undone, 8 restored; undone and restored are told
//	from the one before
//
// Numbers, texts, ids, keys and the checksum at the end are as package codec says. Whoever changes what the bytes
// mean gives the item the next number of the format: a program that does not know it refuses the item.
package ledger
