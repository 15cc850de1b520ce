// Package board defines boards: their windows and periods in the forum's time zone, the order of users on a
// board, and the number that a sorted set of Redis holds for each user.
//
// It promises one order everywhere: the higher score first, on equal scores the user who reached it first
// (in ticks), then the user id byte by byte. It knows neither the storage of boards nor the actions that earn
// points.
package board
