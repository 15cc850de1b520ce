// Package reference says what articles are: sets of what was published, moved,
// deleted and voted, and lists that are sorted afresh each time they are asked
// for, by brute force. Tests hold the real store against it. So it shares nothing
// with package article but the shape of an article, and prefers what can be
// checked by reading to what is fast.
//
// It promises that after the same calls, the votes among them in any order, it
// answers the same. It does not judge what it is given: articles are without
// faults and activities are admitted.
package reference
