// Package journal stores every accepted change of a user's pages in the table, before it
// is committed to Redis, so that the pages can be filled from it again.
//
// It promises that rows are stored when Put returns, whatever becomes of the process; that
// Read returns each row that was put before it at least once; and that a sealed day holds
// each row of its arrivals once, sorted by user. It does not decide what a row does to a
// page: package ledger does.
//
// # Items
//
//	partition key                      sort key                  holds
//	JOURNAL#<UTC hour>#<00 to 15>      <arrival in ms><16 hex>   the rows of one request or message
//	SEAL#<day>#<sum of a run>          <number>                  a segment: rows sorted by user
//	SEAL#<day>#<random><sum of a run>  <number>                  a segment of a draft, which expires
//	SEALS                              <day>                     the segments of the day, written last
//	PENDING#<00 to 15>                 <arrival in ms><16 hex>   activities that are not admitted yet
//
// Hours and days are those of the arrival, in UTC. The key of an entry is chosen once, so
// that a retry, or rows that a conflict has changed, overwrite it. Rows that are too large
// for one item continue in others, whose sort keys have #1, #2 and so on appended. Entries
// expire 35 days after their arrival; segments are deleted by Expire, pending activities by
// DeletePending.
//
// # Bytes
//
// The data of an item is its format (J or S), version, and whether the body is compressed
// (Zstandard, from 400 bytes on); then the body, sealed with the item's keys (package
// codec).
//
//	body
//	+-----------+----------+
//	| n of rows | rows ... |
//	+-----------+----------+
//
//	row
//	+-------+-------+-------------+----------------+------------------+---------------+
//	| flags | kind? | user's      | action's       | moment less that | by kind       |
//	|       |       | number, id? | number, text?  | of the row before|               |
//	+-------+-------+-------------+----------------+------------------+---------------+
//
//	flags                                    kind
//	+-----------+-----+-------+----------+------+    0 (no byte)   target, ref?, value?
//	| registers | ref | value | restores | kind |    1 compact      key, value?
//	+-----------+-----+-------+----------+------+    2 replaced     ids listed, hashes unlisted
//	 bits 0 to 3   4      5        6        7        3 void         key, page
//
// The number of a user is 0 for a new one, whose id follows, 1 for the latest new one, 2
// for the one before it, and so on; likewise for actions. A replaced follow list has no
// action. The fields of a row are those of ledger.Row.
package journal
