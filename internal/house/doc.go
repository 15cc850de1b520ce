// Package house holds the rules of this repository that a compiler does not: who
// may import whom, and that packages, scripts and commands are documented as they
// are.
//
// Each check reads a tree of files and returns its faults, one sentence each, none
// when all is well. A package that is not there yet breaks no rule. The tests run
// every check on this repository, and on small broken ones that it must not pass.
package house
