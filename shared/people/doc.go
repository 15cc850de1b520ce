// Package people has who users are: profiles, statuses and follow lists, and what is kept of one
// person, to be told (export) or erased.
//
// The person's item in the table is the truth of a name and a status; it is written first, then shown on every live
// board, and a view that misses that is behind. Export and erasure walk one list of the kinds of items that have
// something of a person (kinds); nothing else knows where that is. A board is never refused for its names.
//
// An erasure may be killed anywhere, repeated, and run twice at once. First a tombstone takes the
// place of the person's item, and what the person's key finds is emptied: whoever has read before
// writes what counts as absent. At least Options.Wait later that is done once more, and the id is
// taken off the items of others and dropped from the tombstone; then nothing holds it, and what
// is left is a keyed hash. What somebody does after the tombstone is a new person's, and stays.
package people
