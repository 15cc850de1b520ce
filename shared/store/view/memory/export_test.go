package memory

import "laurel/shared/core/board"

// Total returns the sum of a team's members on a board of teams, and how many of them others may see; both may be
// changed. Teams are counted from 1.
func (v *View) Total(name string, p board.Period, team int) (sum, seen *int64) {
	t := &v.boards.on(name, p).totals[team-1]
	return &t.sum, &t.seen
}

// Voted returns how many articles have counts of votes beside their pages.
func (v *View) Voted() int { return len(v.articles.votes) }
