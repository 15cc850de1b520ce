// Package view is the contract of a forum's view: the boards that can still change, the names of their users, articles
// with their lists and votes. All of it follows from the table: it may be emptied, go back to an earlier moment, lose
// keys, be full or unavailable, and is made again. Package redisview keeps it in Redis, package memory in the process;
// a program that has boards in memory alone is compiled without a client of Redis.
//
// A view promises that units (ShowAll) may come late, twice and in any order: the seen revisions decide, as the
// revisions that a unit was read at say; that a unit is applied whole or not at all; that nothing is read from a slot,
// nor shown in it, that is not of the table, format, zone and number of shards that are declared, and nothing read
// while it is being filled (ErrFilling); and that every error of one that does not answer wraps ErrUnavailable, of one
// that is full ErrFull as well.
package view
