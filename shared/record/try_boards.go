package record

import (
	"cmp"
	"slices"
	"strings"

	"laurel/shared/board"
)

// Tried says what the boards of the current periods are, and what they would be by other rules.
type Tried struct {
	People  int64        `json:"people"`            // with a ledger or a profile
	Damaged int64        `json:"damaged,omitempty"` // people who cannot be read
	Unknown []string     `json:"unknown"`           // what the ledgers cannot tell about the other rules
	Boards  []TriedBoard `json:"boards"`

	Warnings []string `json:"warnings,omitempty"` // of the other rules
}

// A TriedBoard is one period of a board.
type TriedBoard struct {
	Board  string       `json:"board"`
	Window board.Window `json:"window"`
	Period board.Period `json:"period"`
	Before TriedPage    `json:"before"`
	After  TriedPage    `json:"after"`
	Gain   []TriedMove  `json:"gain"` // who gains most places, most first
	Lose   []TriedMove  `json:"lose"`
}

// A TriedPage is the top of a board.
type TriedPage struct {
	Total   int64        `json:"total"`
	Entries []TriedEntry `json:"entries"`
}

// A TriedEntry is somebody's place.
type TriedEntry struct {
	Rank  int64  `json:"rank"`
	Score int64  `json:"score"`
	User  string `json:"user"`
	Name  string `json:"name,omitempty"`
}

// A TriedMove is how somebody moves. Who is not on a board has rank 0, and counts as one place below its last.
type TriedMove struct {
	User   string `json:"user"`
	Name   string `json:"name,omitempty"`
	Places int64  `json:"places"` // that are gained; below 0: lost
	Before Placed `json:"before"`
	After  Placed `json:"after"`
}

// Placed is a rank and a score.
type Placed struct {
	Rank  int64 `json:"rank"`
	Score int64 `json:"score"`
}

// compare returns a board before and after, and who moves most.
func (t *trial) compare(at boardPeriod) TriedBoard {
	scores := t.scores[at]
	b := TriedBoard{Board: at.board, Window: at.period.Window(), Period: at.period}
	b.Before, b.After = rank(scores, 0), rank(scores, 1)
	moves := make([]TriedMove, 0, len(scores))
	for _, s := range scores {
		m := TriedMove{
			User: s.user, Name: s.name,
			Before: Placed{s.ranking[0], s.packed[0].Score()}, After: Placed{s.ranking[1], s.packed[1].Score()},
		}
		m.Places = cmp.Or(m.Before.Rank, b.Before.Total+1) - cmp.Or(m.After.Rank, b.After.Total+1)
		moves = append(moves, m)
	}
	b.Gain = most(moves, func(m TriedMove) int64 { return m.Places })
	b.Lose = most(moves, func(m TriedMove) int64 { return -m.Places })
	return b
}

// rank gives everybody a rank on one side of a trial, and returns the top.
func rank(scores []trialScore, side int) TriedPage {
	entry := func(s trialScore) board.Entry { return board.Entry{User: s.user, Packed: s.packed[side]} }
	slices.SortFunc(scores, func(a, b trialScore) int { // who has no points comes last
		return board.Compare(entry(a), entry(b))
	})
	page := TriedPage{Entries: []TriedEntry{}}
	for i := range scores {
		s := &scores[i]
		if s.packed[side] == 0 {
			break
		}
		page.Total++
		if s.ranking[side] = page.Total; page.Total <= triedFirst {
			page.Entries = append(page.Entries, TriedEntry{page.Total, s.packed[side].Score(), s.user, s.name})
		}
	}
	return page
}

// most returns those with the most of something above 0; of equals the best placed come first.
func most(moves []TriedMove, of func(TriedMove) int64) []TriedMove {
	slices.SortFunc(moves, func(a, b TriedMove) int {
		return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(a.After.Rank, b.After.Rank), strings.Compare(a.User, b.User))
	})
	some := slices.Clone(moves[:min(len(moves), triedMoves)])
	return slices.DeleteFunc(some, func(m TriedMove) bool { return of(m) <= 0 })
}
