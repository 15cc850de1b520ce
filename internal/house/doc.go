// Package house holds the rules of this repository that a compiler does not: who
// may import whom, that packages, scripts and commands are documented as they are,
// and that the stack and its sample events are what the operations need.
//
// Each check reads a tree of files and returns its faults, one sentence each, none
// when all is well. A package that is not there yet breaks no rule. The tests run
// every check on this repository, and on small broken ones that it must not pass.
package house
