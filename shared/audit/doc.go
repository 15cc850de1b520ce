// Package audit holds what is live against the entries that it should follow
// from: every board against the pages of its users, the pages' summaries against
// their entries, and the indexes against both. What entries are worth is worked
// out by the reference, which shares no code with the pages.
//
// It promises that nothing stored is taken on trust: users are found by a scan of
// the keys, every member of every board and index is looked at, and a user who
// changes meanwhile is read again before anything is said of it, so that it can
// be run beside writers. It keeps a few hundred users in memory at a time.
//
// It does not look at what is closed, which the archive holds, and it cannot tell
// that an entry is wrong or missing: entries are the truth here. A damaged page
// is reported and left alone, unless everything on it follows from other pages.
//
// A repair writes what the entries say, under the same check of versions as a
// commit; after it, a second audit finds nothing but what cannot be mended.
package audit
