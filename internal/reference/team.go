package reference

import (
	"cmp"
	"slices"

	"laurel/shared/core/board"
)

// A Member is the part of a user's profile and status that boards of teams ask for.
type Member struct {
	Groups []string
	Hidden bool // counts in the sum alone
	Absent bool // excluded or shadowed: counts nowhere
}

// Teams returns the teams on a board in a period, in order: the higher sum first, then the group. A member plays for
// the first of the board's teams whose group the member has; one who is not on the board adds nothing.
func (l *Ledger) Teams(name string, p board.Period, members map[string]Member) (teams []board.Team) {
	for _, place := range l.Board(name, p) {
		m := members[place.User]
		for _, t := range l.rules.Board(name).Teams {
			if m.Absent || !slices.Contains(m.Groups, t.Group) {
				continue
			}
			i := slices.IndexFunc(teams, func(team board.Team) bool { return team.Group == t.Group })
			if i < 0 {
				i, teams = len(teams), append(teams, board.Team{Group: t.Group})
			}
			if teams[i].Sum += place.Packed.Score(); !m.Hidden {
				teams[i].Members++
			}
			break
		}
	}
	slices.SortFunc(teams, func(a, b board.Team) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.Group, b.Group))
	})
	for i := range teams {
		teams[i].Rank = int64(i) + 1
	}
	return teams
}
