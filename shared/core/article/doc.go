// Package article ranks a forum's articles by votes and age, so that good ones rise and
// none stays for ever. It decides and stores nothing.
//
// An article's score is the moment of its publishing in whole seconds plus a number of seconds for each vote, which the
// rules set. So the order changes only with votes, and no job has to recompute ranks. A user has one vote for an
// article: the user's latest decision about it within the article's voting week.
//
// The package promises that scores are exact whole numbers, that the order of articles is total, that votes may come in
// any order and any number of times, and that a damaged page is an error. It has no clock and no store.
//
// # Pages
//
// A store keeps an article as a page, a byte string. Numbers are varints; texts have
// their length in front. There are votes once they are final.
//
//	+--------+-------+-------+-----------+-------+------+------------------------+---------+------------+
//	| author | state | votes | published | title | link | groups: how many, each | changed | CRC-32C, 4 |
//	+--------+-------+-------+-----------+-------+------+------------------------+---------+------------+
//
// # Members
//
// In the lists of a store an article is a member whose bytes order articles of equal
// score: the newer first, then by id.
//
//	+--------------------------------------------+----+
//	| Latest - published, in ms, 11 hex digits   | id |     of package board's Latest
//	+--------------------------------------------+----+
package article
