// Package audit compares live data with the ledger's entries: every board with the pages
// of its users, the pages' summaries with their entries, and the indexes with both. Scores
// are computed by the reference ledger, which shares no code with the pages.
//
// It promises to trust no stored index: it finds users by a scan of the keys, checks every
// member of every board and index, and reads a user who changes during the audit again
// before reporting, so that it can run beside writers. It has a few hundred users in
// memory at a time, and the ids of those of whom it would remove something.
//
// It does not check closed periods, which the archive has, and it cannot find a wrong or
// missing entry: entries are the truth.
//
// # Repairs
//
// An audit writes only if Apply says so. It then has the Evidence merged, which is what the
// table has of users: what is missing comes back, and damaged pages are made anew. After
// that it writes what is proved, under the same check of versions as a commit. It removes
// nothing because something is missing: what it can't explain it keeps, and names.
//
//	what                                    is written if
//	a missing or lower score                the entries say so, and the status of the user is not lost
//	a score with the same points            the entries have another moment
//	a higher score, or one of nobody        the user is hidden or excluded by a sound page; or a sound page
//	                                        of a month of the period says so, and all rows of the user in
//	                                        the journal give the same score (for a year and all time: with
//	                                        the totals, once a month is closed); or the user was erased
//	                                        and nothing is known since
//	a summary                               the entries of the page, or of its days' pages, say so
//	a user missing in an index              there is the page, or somebody is followed
//	a user in the index of a month          the user was erased, and nothing is known since
//	a user among the suppressed             the table has no status of the user
//	a user among those who follow somebody  the follows page is there, or the table's was merged; it and
//	                                        the set are empty
//	somebody on a follow list               the page knows that they were unfollowed; or they were erased
//	a period in the index of periods        it is no period
//
// Without Evidence nothing else proves that a page is complete: then no score is lowered,
// and nobody leaves a board or an index but by a page that is there. A board that the rules
// do not keep any more is left to the night.
package audit
