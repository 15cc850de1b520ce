// Package board knows what a board is: its windows and periods in the forum's
// time zone, the order of those who are on it, and the one number that a sorted
// set holds for each of them.
//
// It promises one order everywhere: the higher score first, on equal scores
// whoever reached it first (in ticks), then the user id byte by byte. Ranks are
// 1..n. It does not know where a board is kept and what earns points.
package board
