// Package state keeps in the table what is not derived from activities: the stamp, the
// statuses of users, the closed-period set, articles, follow lists, the tombstones of
// erasures, void targets, and which months are being imported. An emptied Redis is filled again from them and from the
// journal.
//
//	partition key   sort key  data
//	STATE           stamp     JSON of the stamp
//	STATE           journal   a moment before which nothing arrived, in milliseconds
//	STATE           lease#<name>    who does some work, and until when in milliseconds
//	STATE           cursor#<name>   where some work goes on
//	STATE           closed    text of the closed-period set, after a byte
//	STATUS#<00-15>  <user>    the status page of package ledger
//	ARTICLES#<00-15> <id>     the article as package article keeps it, with its votes once they are final
//	FOLLOWS#<00-15> <user>    page and ids of a follow list; more items if they are too large for one
//	TOTALS#<00-15>  <user>    the totals page of package ledger, of months whose pages are removed
//	TOMBSTONES      <hash>    the moment of an erasure
//	VOIDS           <target>  the void of a target, as package pages keeps it
//	IMPORTS         <id>      JSON of an import in progress
//
// The number of a partition is a hash of the user or the article. Everything but follow
// lists is written before Redis changes, by compare and swap: the table is the truth. A
// writer reads the versions in Redis, then changes the item, then commits what the item
// says under these versions, and repeats all of it after a conflict. So whoever commits
// last has read the item after every other commit, and Redis ends with what the table
// has, whatever the order; and a writer that stops between the two has lost nothing that
// another was answered.
//
// It does not know what the pages say, nor Redis.
package state
