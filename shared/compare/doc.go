// Package compare holds what stands in a forum's own database against what Laurel counts: member by member,
// entry by entry, for one month. It reads both and writes neither.
//
// A forum says what it has in statements of the package integrations, or in a file as laurel import takes it.
// Laurel is asked over its API: rules, boards, and the entries of members.
package compare
