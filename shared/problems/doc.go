// Package problems is the one list of what can be wrong with a request: the codes of
// problems, and those of the violations in them. Answers, the OpenAPI document, the
// pages under /problems/ and docs/api.md are made of it.
//
// Codes do not change and are not used again for anything else; codes may be added.
// Titles and texts may change.
package problems
