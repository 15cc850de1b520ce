package board

import (
	"strings"
	"unique"
)

// MaxContestDays is the most days of a contest.
const MaxContestDays = 100

// contestDots are between the days of a contest's name.
const contestDots = ".."

// NewContest returns the contest of a board, both days included: at most MaxContestDays, the second not before the
// first.
func NewContest(name string, from, to Date) Period {
	return Period{window: Contest, n: int32(from), days: uint8(to - from + 1)}.Of(name)
}

// Board returns the board whose contest the period is, "" for another period, and for one whose board is not known.
func (p Period) Board() string {
	if p.board == (unique.Handle[string]{}) {
		return ""
	}
	return p.board.Value()
}

// Of returns a contest as that of a board, and other periods, which are the same on every board, as they are.
func (p Period) Of(name string) Period {
	if p.window == Contest && name != "" {
		p.board = unique.Make(name)
	}
	return p
}

// parseContest reads the name of a contest, whose board is not known from it.
func parseContest(s string) (Period, bool) {
	first, last, _ := strings.Cut(s, contestDots)
	from, wrong := ParseDate(first)
	to, wrongToo := ParseDate(last)
	if wrong != nil || wrongToo != nil || to < from || to-from >= MaxContestDays {
		return Period{}, false
	}
	return Period{window: Contest, n: int32(from), days: uint8(to - from + 1)}, true
}
