// Package audit compares live data with the ledger's entries: every board with the pages
// of its users, the pages' summaries with their entries, and the indexes with both. Scores
// are computed by the reference ledger, which shares no code with the pages.
//
// It promises to trust no stored index: it finds users by a scan of the keys, checks every
// member of every board and index, and reads a user who changes during the audit again
// before reporting, so that it can run beside writers. It has a few hundred users in
// memory at a time.
//
// It does not check closed periods, which the archive has, and it cannot find a wrong or
// missing entry: entries are the truth. A damaged page is reported and not changed, unless
// everything on it follows from other pages.
//
// A repair writes what follows from the entries, under the same check of versions as a
// commit; after it, a second audit finds only what cannot be repaired.
package audit
