// Package forum reads the rows that stand in a forum's own database, and compares them with a Laurel over its API:
// rules, boards, and the entries of members. It writes to neither.
//
// The rows come from the statements of package integrations, or from a file as laurel import takes it.
package forum
