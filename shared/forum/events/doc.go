// Package events sends events of a forum to the addresses of its rules, as Standard Webhooks says:
// a period that has ended, a period that is final.
//
// The night writes events as items of the table (items.Event); a Sender reads and sends them, in AWS a
// function outside the network, elsewhere a loop beside the server. So a slow or dead address keeps neither
// a report nor a night waiting. It promises:
//
//   - Each event arrives at least once, with the same id each time; an event that a kill loses is sent again.
//   - Those of one address arrive in order: a failed one is tried again before the next one. Addresses do not
//     wait for each other.
//   - An event that fails for three days is given up, with an alarm.
//   - Nobody who is erased, hidden or excluded by then is named: an item has keys of people alone, whose
//     ids are read right before a request, which takes less time than an erasure does.
//   - No request goes to a private network unless that is allowed, and redirects are not followed.
//
// It does not promise that an event arrives once, nor within a time.
package events
