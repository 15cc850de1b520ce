// Package people has the users: profiles, statuses and follow lists, and it exports or erases all data that is kept of
// one person.
//
// The person's item in the table is the truth of a name and a status; it is written first, then shown on every live
// board, and a view that misses that is behind. Export and erasure walk one list of the kinds of items that have
// something of a person (kinds); nothing else knows where that is. A board is never refused for its names.
//
// An erasure may be killed anywhere, repeated, and run twice at once. First a tombstone takes the place of the person's
// item, and the items under the person's key are emptied: a process that has read them before writes items that count
// as absent. At least Options.Wait later the items are emptied once more, and the id is taken off the items of others
// and dropped from the tombstone; then nothing holds it, and only a keyed hash is left. Actions of the user after the
// tombstone are a new person's, and stay.
package people
