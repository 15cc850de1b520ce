// Package activity knows what users do and what it is worth: activities with
// their violations, and the rules, versioned by the day they take effect.
//
// It promises that an activity without violations can be recorded, and that rules which were parsed can score any day.
// It knows no clock and no store; what an activity does to a board is decided in package ledger.
package activity
