// Package articles keeps articles, their lists and votes in Redis.
//
// It promises that a list is read in one round trip, with the authors' names; that
// votes are counted beside the pages of their users, in the same two round trips,
// and once, however often they are sent; and that every change of an article is
// applied whole or not at all. How articles are ranked is decided in package
// article.
//
// Exceptions to the number of round trips: a change of an article while others
// change it (store.go), erasing a user (erase.go) and the nightly run (drop_voters.go).
package articles
