// Package erasure erases users everywhere: from live boards, the ledger, others' follow
// lists, profiles, articles and votes, and from final boards, where the place stays
// without an id.
//
// It promises that an erasure may stop anywhere, by a crash or for lack of time, and
// continues there when it is called again; that two erasures of a user at once do no
// harm; and that nothing of the user is left when it is done, not even in the record of
// the erasure, which is stored under a hash of the id. After a crash the counts of what
// was removed may be too low, never too high.
//
// An erasure that is not done is on a list, with the id, so that the nightly run can
// continue it.
package erasure
