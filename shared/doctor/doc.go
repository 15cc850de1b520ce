// Package doctor looks at a Laurel that runs, from outside, as the forum's pages and its backend
// see it.
//
// Each check is a small function that asks something over HTTP and returns a Line: what was
// seen, whether that is well, and what to do if it is not. A check changes nothing; what it sends
// as a webhook is ignored. It follows no redirect, so that no token goes where it was not meant
// for, reads a megabyte of an answer at most, and waits ten seconds for it.
//
// It does not look into the stores: `laurel audit` does.
package doctor
