// Package reference defines a ledger as a function from a set of accepted activities to
// entries, days and boards, by brute force. Tests hold the real ledger and the stores against
// it. So it shares no code with package ledger, knows nothing of pages, and prefers code that
// can be checked by reading to fast code.
//
// It does not check activities: they must be without violations and admitted (not too late, too
// early, excluded, of oneself, or refused by the rules for reports of users). It knows no
// final periods and no receipts. The limits of how many entries a user's day and month hold,
// and how many targets a follow list, are not modelled, as past them order does matter:
// comparisons must stay below them.
//
// It makes the random activities of tests, too: the same seed makes the same ones.
package reference
