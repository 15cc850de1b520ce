package board

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxSum is the greatest sum of a team: JavaScript reads it exactly.
const maxSum = 1<<53 - 1

// PackMember returns the place of a member on a board of teams: the score, and the number of the team, from 1, in place
// of ticks. It is none for a score of zero or below, and for the number 0, which is no team.
func PackMember(score int64, team int) Packed {
	if score <= 0 || team == 0 {
		return 0
	}
	return Pack(score, int64(team))
}

// Team returns the number of the team in a member's place.
func (p Packed) Team() int { return int(p.Ticks()) }

// A Team is a team's place on a board.
type Team struct {
	Rank    int64 // from 1
	Group   string
	Sum     int64 // of the places of its members, hidden ones included
	Members int64 // those on the board whom others may see
}

// Teams are all teams on a board of teams, in its order.
type Teams struct {
	Places   []Team
	Previous map[string]int64 // ranks in the period before, by group, as who reads the board has them
}

// RankTeams returns the teams on a board: those with a sum above zero, the higher sum first, then by the name of the
// group, byte by byte.
func RankTeams(teams []Team) []Team {
	teams = slices.DeleteFunc(slices.Clone(teams), func(t Team) bool { return t.Sum <= 0 })
	for i := range teams {
		teams[i].Sum = min(teams[i].Sum, maxSum)
	}
	slices.SortFunc(teams, func(a, b Team) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), strings.Compare(a.Group, b.Group))
	})
	for i := range teams {
		teams[i].Rank = int64(i) + 1
	}
	return teams
}

// TeamRanks returns the ranks of ranked teams, by group.
func TeamRanks(teams []Team) map[string]int64 {
	ranks := make(map[string]int64, len(teams))
	for _, t := range teams {
		ranks[t.Group] = t.Rank
	}
	return ranks
}

// A TeamTally adds up the sums of a board's teams, whose numbers are those of their groups, from 1.
type TeamTally struct {
	groups []string
	teams  []Team
}

// NewTeamTally returns an empty tally.
func NewTeamTally(groups []string) *TeamTally {
	t := &TeamTally{groups: groups, teams: make([]Team, len(groups))}
	for i, group := range groups {
		t.teams[i].Group = group
	}
	return t
}

// Add adds a sum and a number of members to a team.
func (t *TeamTally) Add(team int, sum, members int64) {
	if team < 1 || team > len(t.teams) {
		return
	}
	total := &t.teams[team-1]
	total.Sum, total.Members = total.Sum+sum, total.Members+members
}

// AddMember adds a member's place, seen by others or hidden.
func (t *TeamTally) AddMember(place Packed, hidden bool) {
	if place == 0 {
		return
	}
	seen := int64(1)
	if hidden {
		seen = 0
	}
	t.Add(place.Team(), place.Score(), seen)
}

// Ranked returns the teams as RankTeams does.
func (t *TeamTally) Ranked() []Team { return RankTeams(t.teams) }

// Page returns up to limit teams after the first ones, or after a place, wherever that team is now.
func (t *Teams) Page(offset, limit int64, after Team) []Team {
	first := min(max(offset, 0), int64(len(t.Places)))
	if after.Rank > 0 {
		first = int64(len(t.Places))
		for i, team := range t.Places {
			if team.Sum < after.Sum || team.Sum == after.Sum && team.Group > after.Group {
				first = int64(i)
				break
			}
		}
	}
	return t.Places[first:min(first+limit, int64(len(t.Places)))]
}

// Around returns a team with so many neighbours on each side, in order; nil for a team that is not on the board.
func (t *Teams) Around(group string, around int64) []Team {
	i := int64(slices.IndexFunc(t.Places, func(team Team) bool { return team.Group == group }))
	if i < 0 {
		return nil
	}
	return t.Places[max(0, i-around):min(int64(len(t.Places)), i+around+1)]
}

// A Membership is a person's part in a standing on a board of teams.
type Membership struct {
	Group   string // of the person's team; "" for none
	Members int64  // of the team
	Own     int64  // the person's own sum, 0 if it is not above zero
}

// Standing returns the standing of a team, "" for none, as that of a member with a sum of their own.
func (t *Teams) Standing(group string, own int64) Standing {
	total := int64(len(t.Places))
	s := NewStanding(0, 0, total, 0, t.Previous[group])
	s.Of = &Membership{Group: group, Own: own}
	if group == "" {
		s.ToNext = nil // no points of this person's count for a team
	}
	for i, team := range t.Places {
		if team.Group != group {
			continue
		}
		s.Rank, s.Score, s.Percentile, s.ToNext = team.Rank, team.Sum, new(Percentile(team.Rank, total)), nil
		s.Of.Members = team.Members
		if i > 0 {
			s.ToNext = new(t.Places[i-1].Sum - team.Sum)
			if t.Places[i-1].Group < group { // the next place takes a point more
				*s.ToNext++
			}
		}
	}
	return s
}

// With returns the teams as they would be with another member's place.
func (t *Teams) With(groups []string, place Packed) *Teams {
	tally := NewTeamTally(groups)
	for _, team := range t.Places {
		tally.Add(1+slices.Index(groups, team.Group), team.Sum, team.Members)
	}
	tally.AddMember(place, false)
	return &Teams{Places: tally.Ranked(), Previous: t.Previous}
}

// Text returns a team's place as one text: its rank, sum, 0 for ticks, and the group.
func (t Team) Text() string { return fmt.Sprintf("%d.%d.0.%s", t.Rank, t.Sum, t.Group) }

// ParseTeam reads the text that Text wrote; a text of another form is no place.
func ParseTeam(text string) Team {
	numbers, group, ok := splitPlace(text)
	if !ok {
		return Team{}
	}
	return Team{Rank: numbers[0], Group: group, Sum: numbers[1]}
}
