// Package ranking is an ordered set in memory that knows the place of each item: a B-tree whose nodes count the items
// beneath them. Insert, Delete, Rank and the first item of a range take O(log n).
//
// It is not safe for concurrent use: many may read, or one may write.
package ranking
