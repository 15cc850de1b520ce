package wire

import (
	"cmp"
	"crypto/rand"
	"strings"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// An Award is points that the service gives the user in the path, or takes. Its id and its moment are both there, or
// neither.
type Award struct {
	ID     string `json:"id,omitempty" format:"id"`
	At     string `json:"at,omitempty" format:"moment"`
	Points int64  `json:"points" minimum:"-1000000" maximum:"1000000"`
	Board  string `json:"board,omitempty" format:"id"`
	Reason string `json:"reason" format:"reason"`
}

// Award returns the award and its moment, made now where it has none of its own, and adds its violations.
func (a Award) Award(user string, rules *activity.Rules, now board.Moment, found *Violations) (
	activity.Award, board.Moment,
) {
	for _, f := range [...][3]string{{"at", a.At, a.ID}, {"id", a.ID, a.At}} {
		if f[1] == "" && f[2] != "" {
			found.AddAt("body", activity.Violation{
				Code: activity.CodeMissingField, Location: f[0], Message: "an award has both id and at, or neither",
			})
		}
	}
	given := activity.Award{
		ID: cmp.Or(a.ID, NewAwardID()), Points: a.Points, Board: cmp.Or(a.Board, rules.UsualAwardBoard()), Reason: a.Reason,
	}
	for _, v := range rules.AwardViolations(activity.Activity{User: user, Award: &given}) {
		if v.Location == "board" { // the rest is in the tags
			found.AddAt("body", v)
		}
	}
	return given, cmp.Or(found.moment("body", "at", a.At), now)
}

// NewAwardID returns a random id.
func NewAwardID() string { return strings.ToLower(rand.Text()) }
