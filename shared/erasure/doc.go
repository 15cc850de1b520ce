// Package erasure erases users everywhere: from the live boards and the ledger, the
// follow lists of others, the table of profiles, articles and votes, and the final boards, where the
// place stays and names nobody.
//
// It promises that an erasure can be cut off anywhere, by a crash or for want of
// time, and goes on there when it is asked for again; that two at the same user do
// no harm; and that nothing of the user is left when it says done, not even in the
// record of the erasure, which is found by a hash of the id. What has been counted
// as removed may be too little after a crash, never too much.
//
// An erasure that still runs is on a list, with the id, so that the nightly run can
// take it to its end; done, it is off the list.
package erasure
