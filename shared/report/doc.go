// Package report reads what users are said to have done, {"activities":[...]},
// and judges it by the forum's rules: over HTTP and from the queue alike.
//
// It promises that nobody reports for somebody else, and that every fault is
// named by its place, those of form and those of meaning together. It records
// nothing, and it does not look at how old an activity is: package ledger does,
// with a receipt.
package report
