// Package activity defines the activities of users and their worth: activities with their violations, and the rules,
// versioned by the day they take effect.
//
// It promises that an activity without violations can be recorded, and that rules which were parsed can score any
// day. It knows no clock and no store; package ledger decides how an activity changes a board.
package activity
