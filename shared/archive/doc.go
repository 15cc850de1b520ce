// Package archive stores final boards, and profiles, articles and erasures. It decides
// how a board becomes items and how items become a board again; a Store keeps the items,
// in DynamoDB (package table) or in a file (package embedded).
//
// It promises that the same board becomes the same bytes; that a board is complete if
// its manifest exists; that a damaged or forged item is an error that names it, never a
// panic or another board; and that the order is that of the live board, ties included.
// It does not know Redis, nor when a period is due.
//
// # Items
//
//	partition key              sort key      data
//	<board>#<window>           <period>      the manifest: the sizes of the board, and its first hundred
//	<board>#<window>#<period>  page#000007   entries 7 x PageLen to 8 x PageLen - 1, in the board's order
//	<board>#<window>#<period>  index#<hash>  ranks by the hash of the user's id, from this hash up to the
//	                                         next item's
//
//	USER#<user>                profile       the user's profile (package people)
//	ERASURE#<hash of a user>   erasure       the state of the user's erasure
//	ERASING                    <hash of a user>  the user's id, while the erasure runs
//
// The manifest is written last. The top of a board is one read (the manifest), any page
// is one read of two items (the manifest and the page), and a user's place is two reads
// (the index, then the manifest and the page).
//
// # Bytes
//
// An item's data is a frame: a letter for its kind, the version of the formats,
// and the body, sealed and compressed with Zstandard. The body is written as
// package codec says; its checksum is of the item's keys, too.
//
//	+------+---------+-----------------------+
//	| kind | version | zstd(body, checksum)  |
//	+------+---------+-----------------------+
//
//	body of a page: columns of all entries
//	+---+---------------------+----------------------+------------------+
//	| n | score, then the     | ticks: difference to | id; none for an  |
//	|   | decrease each time  | the entry before     | erased user      |
//	|   |                     | (signed)             |                  |
//	+---+---------------------+----------------------+------------------+
//
//	body of an index: by hash, 40 bits of it, then rank
//	+---+-----------------------------------+-------------------+
//	| n | hash: difference to the one before| rank, from 1      |   before them the hash of the next item,
//	+---+-----------------------------------+-------------------+   up to which this one tells of every user
//
//	body of a manifest
//	+-------+--------------+-----------------+--------------------------+-----------+
//	| total | entries/page | index items, n, | sum of the pages' CRCs   | a page of |
//	|       |              | last score      | and of the index's, each | the first |
//	+-------+--------------+-----------------+--------------------------+-----------+
//	| and after an erasure: the number of erased users, and the rank (0 for none)  |
//	| and the hash of the user who is being erased; and when the period was        |
//	| reopened: the numbers of the copy, and of the one that will replace it       |
//	+------------------------------------------------------------------------------+
//
// # Copies
//
// A period that is reopened keeps its copy, and Reopen notes in the manifest the number of
// the next one. Write puts that beside the copy, in the partition <board>#<window>#<period>#
// and the number, reads it back, and replaces the manifest; then it deletes the copies
// before. A reader tries the first copy, and reads again where the manifest names another:
// one read more.
//
// # Erasure
//
// The entry of an erased user keeps its place and its score; its id and its hash in the
// index are removed. Only an erasure rewrites a final board, in four steps: the manifest
// records the erasure, in its final form; the page is replaced; the item of the index is
// replaced; the manifest records the end. The next erasure on the board completes an
// interrupted one. A reader takes every place from one item, so in between it sees the
// user or not.
package archive
