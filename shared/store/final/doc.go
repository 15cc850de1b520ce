// Package final keeps final boards in the table: it decides how a board becomes items, and
// how items become a board again.
//
// It promises that a board is complete if its manifest is there; that a damaged or forged item is an error that
// names it, never a panic or another board; that its order is the one it was made in, ties included; and that nothing
// of a board changes but by making it again after a later closing. It knows neither ledgers nor the view.
//
// # Items
//
//	partition key              sort key              data
//	<board>#<window>           <period>              the manifest: the board's Manifest, with its first TopLen
//	<board>#<window>#<period>  <run>#page#000007     entries 7 x PageLen to 8 x PageLen - 1, in the board's order
//	<board>#<window>#<period>  <run>#index#<hash>    ranks by the hash of the person's key, from this hash up
//	                                                 to the next item's
//
// A run that makes a board writes pages and index under its own name, after the number of the closing that it is of;
// it reads them back, compares them, and writes the manifest last, under a condition. A board of at most TopLen is
// its manifest alone, and one of a few pages has no index. The items of other runs, up to that closing, are deleted.
//
// The top of a board is one read; a page one, a place two, and one more where a process does not know the run yet.
//
// # Bytes
//
// An item's data is a letter for its kind, the version of the formats, and the body, sealed with the item's key
// (package codec) and compressed with Zstandard.
//
//	entries: columns
//	+---+---------------------+----------------------+-----------------+
//	| n | score, then the     | ticks: difference to | key of the      |
//	|   | decrease each time  | the entry before     | person, 16 B    |
//	+---+---------------------+----------------------+-----------------+
//
//	body of an index: by hash, 40 bits of the key, then rank
//	+-----------------------+---+--------------------+-------+
//	| hash of the next item | n | hash: difference   | rank  |
//	+-----------------------+---+--------------------+-------+
//
//	body of a manifest
//	+-------+---------+-------------+-----+-------------------------------+-------------+
//	| total | closing | index items | run | SHA-256 of all entries, 32 B  | the first   |
//	+-------+---------+-------------+-----+-------------------------------+-------------+
//	| n | group | n | number of the group, sum, members |
//	+---+-------+---+-----------------------------------+
//
// The second line is empty of a board of people. The entries of a board of teams are its members.
//
// The digest is of each entry's key (16 B) and packed score (8 B, big-endian), in order.
package final
