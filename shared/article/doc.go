// Package article ranks a forum's articles: by votes against time, so that what
// is good rises and nothing stays for ever. It decides; it moves no bytes.
//
// An article's score is the moment of its publishing in whole seconds, and for
// each vote as many seconds more as the rules say a vote is worth. So the order
// changes with votes alone, and no job has to rank anything again as time passes.
// A user has one vote for an article: the latest that the user has decided about
// it, within the article's voting week.
//
// The package promises that scores are exact whole numbers, that the order of
// articles is total, that votes may come in any order and any number of times,
// and that a page that was damaged is an error. It knows no clock and no store.
//
// # Pages
//
// What a store keeps of an article beside its votes is a page, a byte string.
// Numbers are varints; texts have their length in front. The version is first
// and the author next, with the length in one byte, so that a script finds both.
//
//	+------------+---+--------+-------+-----------+-------+------+--------------+------------+
//	| version, 8 | n | author | state | published | title | link | groups: how  | CRC-32C, 4 |
//	|            |   | (n)    |       |           |       |      | many, each   |            |
//	+------------+---+--------+-------+-----------+-------+------+--------------+------------+
//
// # Members
//
// In the lists of a store an article is a member whose bytes say which of two
// articles with equal scores comes first: the newer, then by id.
//
//	+--------------------------------------------+----+
//	| Latest - published, in ms, 11 hex digits   | id |     of package board's Latest
//	+--------------------------------------------+----+
package article
