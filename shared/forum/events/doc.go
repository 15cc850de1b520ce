// Package events sends events of a forum to the addresses of its rules, as Standard Webhooks says:
// a period that has ended, a period that is final, points that were taken from a person.
//
// The night writes events as items of the table (items.Event), and an act that takes points writes its own in its
// transaction (TakenBy). A Sender reads and sends them, in AWS a function outside the network, elsewhere a loop beside
// the server. So a slow or dead address keeps neither a report nor a night waiting. It promises:
//
//   - Each event arrives at least once, with the same id each time; an event that a kill loses is sent again.
//   - Those of one address arrive in order: a failed one is tried again before the next one. Addresses do not
//     wait for each other.
//   - An event that fails for three days is given up, with an alarm.
//   - A user who is erased by then is not named, and on a board no hidden or excluded one either: an item has keys of
//     people alone, whose ids are read right before a request, which takes less time than an erasure does.
//   - An event of points that were taken names one person, not the other one of a void pair.
//   - No request goes to a private network unless that is allowed, and redirects are not followed.
//
// It does not promise that an event arrives once, nor within a time.
package events
