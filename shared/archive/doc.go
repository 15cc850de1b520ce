// Package archive keeps what is final: the boards of closed periods. It decides
// how a board becomes items and how items become a board again; a Store moves
// them, in package table to DynamoDB or in package embedded to a file.
//
// It promises that the same board becomes the same bytes; that a board is there
// when its manifest is, and then whole; that a piece that was damaged or
// tampered with is an error that names it, never a panic or another board; and
// that the order is the live board's to the last tie. It does not know Redis,
// nor when a period is due.
//
// # Items
//
//	partition key              sort key      holds
//	<board>#<window>           <period>      the manifest: how the board is divided, and its first hundred
//	<board>#<window>#<period>  page#000007   entries 7 x PageLen to 8 x PageLen - 1, in the board's order
//	<board>#<window>#<period>  index#<hash>  ranks by the hash of the user's id, from this hash up to the
//	                                         next item's
//
//	USER#<user>                profile       what the user is called (package profile)
//	ERASURE#<hash of a user>   erasure       how far the user's erasure is
//	ERASING                    <hash of a user>  the user's id, while the erasure runs
//
// The manifest is written last. The top of a board is one read (the manifest);
// any page is one read of two items (the manifest and the page); a user's place
// is found by two (the index, then the manifest and the page).
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
//	body of a page: columns, each for all entries
//	+---+---------------------+----------------------+------------------+
//	| n | score, then how     | ticks: difference to | id; no id for    |
//	|   | much less each time | the entry before     | who was erased   |
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
//	| and when somebody was erased: how many, and the rank (0 for none) and the    |
//	| hash of who is being erased just now                                         |
//	+------------------------------------------------------------------------------+
//
// # Erasure
//
// An entry whose user is erased keeps its place and its score; it has no
// id, and its hash is not in the index any more. Erasure alone rewrites what
// is final, in four steps that anybody who meets them half done takes to their end:
// the manifest says who is being erased, and is already as it will be; the page; the
// item of the index; the manifest says that it is done. A reader takes every place
// from one item, so in between it meets the user or does not.
package archive
