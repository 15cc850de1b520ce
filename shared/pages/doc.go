// Package pages keeps the pages of users in Redis: what they did, whom they follow,
// and whether they are hidden or excluded; and which targets are void.
//
// It moves bytes: what an activity does is decided in package ledger, and a script
// compares and sets. It promises that what it answered is stored, pages and boards
// together; that a batch is recorded in two round trips, votes for articles
// included; that a retry of anything, by the client or by the caller, changes
// nothing more; and that a user who is hidden or excluded is on no board that can
// still change. Pages and votes are each stored whole or not at all; when one of the
// two is not, the answer is an error, and recording again mends it. It does not
// promise that all users of a batch are recorded at one moment: each is on its own.
//
// Deliberate exceptions to the number of round trips, each beside its code: a
// conflict (record.go), changes of a user's status (status.go), erasing (erase.go),
// undoing what is void (void_pass.go), and what the nightly run does (remove.go, days.go).
package pages
