package questions_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"laurel/shared/api/httpapi"
	"laurel/shared/core/board"
)

// A team is a team on a board, with its sum.
type team struct {
	httpapi.Team
	sum int64
}

// teams returns the teams on a board, in order, as a member sees them, or "" for others: the sums of the places of
// their members, of whom those who hide are not counted, and those who are excluded or shadowed have none; but a
// shadowed one sees no difference.
func (f *forum) teams(p place, eyes string) (all []team) {
	for _, t := range f.rules.Board(p.board).Teams {
		now := team{Team: httpapi.Team{ID: t.Group, Label: t.Label}}
		for _, user := range f.users {
			member := f.people[user]
			isSeen := user == eyes && member.shadowed
			if f.teamOf(user, p) != t.Group || member.excluded || member.shadowed && !isSeen {
				continue
			}
			if own := f.own(user, p); own > 0 {
				now.sum += own
				if !member.hidden || isSeen {
					now.Members++
				}
			}
		}
		if now.sum > 0 {
			all = append(all, now)
		}
	}
	slices.SortFunc(all, func(a, b team) int { return cmp.Or(cmp.Compare(b.sum, a.sum), strings.Compare(a.ID, b.ID)) })
	return all
}

// teamOf returns the first team of the rules among a user's groups, "" for none, and for a user whom the board does not
// admit.
func (f *forum) teamOf(user string, p place) string {
	for _, t := range f.rules.Board(p.board).Teams {
		if slices.Contains(f.people[user].Groups, t.Group) && f.Admits(user, p.board, p.period) {
			return t.Group
		}
	}
	return ""
}

// own returns the points that a user has for a team.
func (f *forum) own(user string, p place) int64 {
	sum, _ := f.Place(user, p.board, p.period)
	return min(max(sum, 0), board.MaxScore)
}

// teamStanding returns the standing of a user's team as the user reads it.
func (f *forum) teamStanding(user string, p place) string {
	group, own, all := f.teamOf(user, p), int64(0), f.teams(p, user)
	if f.people[user].excluded {
		group = ""
	}
	rank, score, toNext, members := "null", int64(0), "null", int64(0)
	if group != "" {
		own, toNext = f.own(user, p), "1"
	}
	for i, t := range all {
		if t.ID != group {
			continue
		}
		rank, score, toNext, members = fmt.Sprint(i+1), t.sum, "null", t.Members
		if i > 0 {
			points := all[i-1].sum - t.sum
			if all[i-1].ID < t.ID {
				points++
			}
			toNext = fmt.Sprint(points)
		}
	}
	line := fmt.Sprintf("%s %s %s: rank %s, score %d, toNext %s, total %d", p.board, p.period.Window(), p.period, rank,
		score, toNext, len(all))
	if group != "" {
		line += fmt.Sprintf(", %s of %d", group, members)
	}
	return line + fmt.Sprintf(", own %d", own)
}
