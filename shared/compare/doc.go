// Package compare holds what stands in a forum's own database against what Laurel counts: member by member,
// entry by entry, for one month. It is pure: the rows of the forum and Laurel's entries are given to it.
//
// A forum's plugin sends the rows with a webhook; laurel compare reads them itself.
package compare
