// Package questions compares the boards that a forum's pages read with package reference, by HTTP alone, day by day:
// twelve and more kinds of questions, three of them of teams, on random forums with undos, restores, late and repeated
// reports, awards, members who hide or are excluded, groups that change, nights that make boards final, and keys of
// Redis that are lost.
package questions
