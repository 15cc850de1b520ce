package trial

import (
	"cmp"
	"slices"
	"strings"

	"laurel/shared/core/board"
)

// A Result is the boards of the current periods as they are, and as they would be by other rules.
type Result struct {
	People  int64    `json:"people"`            // with a ledger or a profile
	Damaged int64    `json:"damaged,omitempty"` // people who cannot be read
	Unknown []string `json:"unknown"`           // gaps in the ledgers for the other rules
	Boards  []Board  `json:"boards"`

	Warnings []string `json:"warnings,omitempty"` // of the other rules
}

// A Board is one period of a board.
type Board struct {
	Board  string       `json:"board"`
	Window board.Window `json:"window"`
	Period string       `json:"period"`
	New    bool         `json:"new,omitempty"` // the rules in force do not have it
	Before Page         `json:"before"`
	After  Page         `json:"after"`
	Gain   []Move       `json:"gain"` // the users who gain most places, most first; none on a new board
	Lose   []Move       `json:"lose"`
}

// A Page is the top of a board.
type Page struct {
	Total   int64   `json:"total"`
	Entries []Place `json:"entries"`
}

// A Place is a user's place, or a team's.
type Place struct {
	Rank    int64  `json:"rank"`
	Score   int64  `json:"score"`
	User    string `json:"user,omitempty"`
	Name    string `json:"name,omitempty"` // the label of a team
	Team    string `json:"team,omitempty"`
	Members int64  `json:"members,omitempty"` // of a team, those who are not hidden
}

// A Move is how a user moves, or a team. One that is not on a board has rank 0, and counts as one place below its last.
type Move struct {
	User   string   `json:"user,omitempty"`
	Name   string   `json:"name,omitempty"`
	Team   string   `json:"team,omitempty"`
	Places int64    `json:"places"` // places gained; below 0: lost
	Before Standing `json:"before"`
	After  Standing `json:"after"`
}

// Standing is a rank and a score.
type Standing struct {
	Rank  int64 `json:"rank"`
	Score int64 `json:"score"`
}

// board returns a board before and after, and the users who move most.
func (t *trial) board(id board.ID) Board {
	scores := t.scores[id]
	b := Board{Board: id.Board, Window: id.Period.Window(), Period: id.Period.String(), New: t.isNew(id)}
	b.Gain, b.Lose = []Move{}, []Move{}
	if t.ofTeams(id.Board, 0) || t.ofTeams(id.Board, 1) {
		t.teamBoard(&b, scores)
		return b
	}
	b.Before, b.After = rank(scores, 0), rank(scores, 1)
	if b.New {
		return b
	}
	below := [2]int64{b.Before.Total + 1, b.After.Total + 1}
	if t.act != nil { // who leaves from the last place or takes it moves, too
		below[0], below[1] = max(below[0], below[1]), max(below[0], below[1])
	}
	moves := make([]Move, 0, len(scores))
	for _, s := range scores {
		m := Move{
			User: s.user, Name: s.name,
			Before: Standing{s.ranking[0], s.packed[0].Score()}, After: Standing{s.ranking[1], s.packed[1].Score()},
		}
		m.Places = cmp.Or(m.Before.Rank, below[0]) - cmp.Or(m.After.Rank, below[1])
		moves = append(moves, m)
	}
	b.Gain = most(moves, func(m Move) int64 { return m.Places })
	b.Lose = most(moves, func(m Move) int64 { return -m.Places })
	return b
}

// rank gives everybody a rank on one side of a trial, and returns the top.
func rank(scores []score, side int) Page {
	entry := func(s score) board.Member { return board.Member{User: s.user, Packed: s.packed[side]} }
	slices.SortFunc(scores, func(a, b score) int { // a user without points comes last
		return board.Compare(entry(a), entry(b))
	})
	page := Page{Entries: []Place{}}
	for i := range scores {
		s := &scores[i]
		if s.packed[side] == 0 {
			break
		}
		page.Total++
		if s.ranking[side] = page.Total; page.Total <= firstPlaces {
			page.Entries = append(page.Entries, Place{
				Rank: page.Total, Score: s.packed[side].Score(), User: s.user, Name: s.name,
			})
		}
	}
	return page
}

// most returns the moves that gain most, above 0; of equals the best placed come first.
func most(moves []Move, gain func(Move) int64) []Move {
	slices.SortFunc(moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(gain(b), gain(a)), cmp.Compare(a.After.Rank, b.After.Rank), strings.Compare(a.User, b.User))
	})
	some := slices.Clone(moves[:min(len(moves), mostMoves)])
	return slices.DeleteFunc(some, func(m Move) bool { return gain(m) <= 0 })
}
