// Package demo is a forum of 40 people in three languages, with names, faces and articles, for
// laurel dev --demo: what they did in the last two months, and what they go on doing.
//
// The same clock gives the same history. Nobody in it is a real person, and the faces are drawn
// here. Live reports go through the API, as those of any forum.
package demo
