// Package redisview is a forum's view in Redis or Valkey. No other package knows Redis.
//
// It keeps the promises of package view, and two more: a read of a board takes one trip, with names, and a show one, of
// any kinds of units; calls that only remove work in a full Redis. No key has a TTL.
//
// Deliberate exceptions to the number of trips, each beside its code: a server that does not know a script
// (script.go); votes for articles whose lists the caller did not know, articles that leave groups (show_articles.go);
// boards in more than one shard (read.go, friends.go); the friends board of a hidden user (friends.go); the list of
// boards (members.go); sweeping and emptying (sweep.go, marker.go).
package redisview
