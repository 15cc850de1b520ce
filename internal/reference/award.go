package reference

import (
	"fmt"
	"math/rand/v2"

	"laurel/shared/core/activity"
	"laurel/shared/core/board"
)

// An AwardKey names an award: one of a user's calendar month.
type AwardKey struct {
	User  string
	Month board.MonthOf
	ID    string
}

// An Award is the content of an award; of one that was taken back nothing counts, whenever that was.
type Award struct {
	activity.Award
	At board.Moment
}

// award enters an award or takes it back. Every one of a key has the same content: another is refused.
func (l *Ledger) award(a activity.Activity) {
	key := AwardKey{a.User, l.calendar.Date(a.At).Month(), a.Award.ID}
	known, found := l.awards[key]
	if !a.Award.Taken && !found {
		l.awards[key] = Award{*a.Award, a.At}
	} else if a.Award.Taken && found {
		known.Taken = true
		l.awards[key] = known
	}
	l.scores = nil
}

// score returns the part of an award in its day's score, reached at its moment if it is above zero.
func (a Award) score() score {
	if a.Points > 0 {
		return score{a.Points, a.At}
	}
	return score{points: a.Points}
}

// Awards makes n awards of the forum to the given users, some of which have the id of others in another month, and some
// of which are below zero.
func (f Forum) Awards(rng *rand.Rand, n int, users []string) (acts []activity.Activity) {
	var boards []string
	for _, name := range f.Rules.Boards() {
		if f.Rules.AwardBoard(name) == name {
			boards = append(boards, name)
		}
	}
	moments, known := f.moments(rng), map[AwardKey]bool{}
	for range n {
		a := activity.Activity{
			User: users[rng.IntN(len(users))], Action: activity.AwardWord, At: moments[rng.IntN(len(moments))],
			Award: &activity.Award{
				ID: fmt.Sprint("award-", rng.IntN(n)), Points: rng.Int64N(200) - 80,
				Board: boards[rng.IntN(len(boards))], Reason: "because",
			},
		}
		key := AwardKey{a.User, f.Calendar.Date(a.At).Month(), a.Award.ID}
		if !known[key] {
			known[key], acts = true, append(acts, a)
		}
	}
	return acts
}
