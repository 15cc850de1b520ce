// Package view keeps a forum's data in Redis: the boards that can still change, the names of their users, articles
// with their lists and votes. All of it follows from the table: it may be emptied, go back to an earlier moment, lose
// keys, be full or unavailable, and is made again. No other package knows Redis.
//
// It promises that units (ShowAll) may come late, twice and in any order: the seen revisions decide, as the revisions
// that a unit was read at say; that a unit is applied whole or not at all; that nothing is read from a slot, nor
// shown in it, that is not of the table, format, zone and number of shards that are declared, and nothing read while
// it is being filled (ErrFilling); that a read of a board takes one trip, with names, and a show one, of any
// kinds of units; and that every error of a Redis that does not answer wraps ErrUnavailable, of one that is full
// ErrFull as well. Calls that only remove work in a full Redis. No key has a TTL.
//
// Deliberate exceptions to the number of trips, each beside its code: a server that does not know a script
// (script.go); votes for articles whose lists the caller did not know, articles that leave groups (show_articles.go);
// boards in more than one shard (read.go, friends.go); the friends board of a hidden user (friends.go); the list of
// boards (members.go); sweeping and emptying (sweep.go, marker.go).
package view
