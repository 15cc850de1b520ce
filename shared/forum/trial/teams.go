package trial

import (
	"cmp"
	"slices"

	"laurel/shared/core/board"
)

// teamBoard completes a board that is of teams before or after; if it is both, with the teams that move most.
func (t *trial) teamBoard(b *Board, scores []score) {
	var sides [2][]board.Team
	for side, page := range []*Page{&b.Before, &b.After} {
		if !t.ofTeams(b.Board, side) {
			shown := slices.DeleteFunc(slices.Clone(scores), func(s score) bool { return s.hidden[side] })
			*page = rank(shown, side)
			continue
		}
		*page, sides[side] = t.teams(b.Board, scores, side)
	}
	if b.New || !t.ofTeams(b.Board, 0) || !t.ofTeams(b.Board, 1) {
		return
	}
	moves := []Move{}
	before, after := board.Teams{Places: sides[0]}, board.Teams{Places: sides[1]}
	for _, team := range slices.Concat(sides[0], sides[1]) {
		if slices.ContainsFunc(moves, func(m Move) bool { return m.Team == team.Group }) {
			continue
		}
		was, now := before.Standing(team.Group, 0), after.Standing(team.Group, 0)
		moves = append(moves, Move{
			Team: team.Group, Name: t.label(b.Board, team.Group),
			Before: Standing{was.Rank, was.Score}, After: Standing{now.Rank, now.Score},
			Places: cmp.Or(was.Rank, was.Total+1) - cmp.Or(now.Rank, now.Total+1),
		})
	}
	b.Gain = most(moves, func(m Move) int64 { return m.Places })
	b.Lose = most(moves, func(m Move) int64 { return -m.Places })
}

// teams returns the teams on one side of a trial, and their page.
func (t *trial) teams(name string, scores []score, side int) (Page, []board.Team) {
	tally := board.NewTeamTally(t.sides[side].Rules().Teams()[name])
	for _, s := range scores {
		tally.AddMember(s.packed[side], s.hidden[side])
	}
	ranked, page := tally.Ranked(), Page{Entries: []Place{}}
	for _, team := range ranked {
		if page.Total++; page.Total <= firstPlaces {
			page.Entries = append(page.Entries, Place{
				Rank: team.Rank, Score: team.Sum, Team: team.Group, Name: t.label(name, team.Group), Members: team.Members,
			})
		}
	}
	return page, ranked
}

// label returns the label of a team by the other rules, else by those in force.
func (t *trial) label(name, group string) string {
	return cmp.Or(t.other.Rules().TeamLabel(name, group), t.o.Ledger.Rules().TeamLabel(name, group))
}
