// Package reference is a brute-force model of articles: sets of articles and votes, and
// lists that are sorted for every read. Tests compare the real store with it. It shares
// only the type of an article with package article, and prefers readable code to fast
// code.
//
// It promises the same answers after the same calls, with votes in any order. It does not
// validate its input: articles and activities must be valid.
package reference
