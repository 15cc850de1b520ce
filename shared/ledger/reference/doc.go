// Package reference says what a ledger is: a function from a set of accepted
// activities to entries, days and boards, by brute force. Tests hold
// the real ledger and the stores against it. So it
// shares no code with package ledger, knows nothing of pages, and prefers what
// can be checked by reading to what is fast.
//
// In its words: what a user did to one target in a day or a month is an entry of
// four moments. An undo that a restore took back is none. An entry stands when it was
// done and not undone since, and its target is not void since. It counts at
// one moment, and the day of that moment gets the point. A day's score is, over
// the actions, points times what stands and counts on it within the cap; every
// longer window is the sum of its days.
//
// It promises that neither the order nor the repetition of activities matters,
// whenever it is asked in between, and that entries put together from several
// parts are the entries of all of them.
//
// It does not check activities: they must be without violations and admitted (not
// too late, too early, excluded, of oneself, or refused by the rules for what users
// report). It knows no final periods and no receipts. The limits of how many entries a
// user's day and month hold, and how many targets a follow list, are not modelled, as past
// them order does matter: comparisons must stay below them.
//
// Follow lists are kept beside the entries.
//
// It makes the random activities of tests, too: the same seed makes the same ones.
package reference
