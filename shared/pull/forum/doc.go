// Package forum reads what stands in a forum's own database, and compares it with a Laurel that is asked over its
// API: rules, boards, and the entries of members. It writes neither.
//
// A forum says what it has in statements of the package integrations, or in a file as laurel import takes it.
package forum
