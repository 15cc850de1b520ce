package people

import (
	"context"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/store/items"
)

// TeamsOf returns the groups of the teams for which some users play on a period's board, as their profiles say now;
// nothing for a user without a team, for a hidden or excluded one, and for one whom the board leaves out. It is one
// read of the table for each 100 users.
func (s *Store) TeamsOf(ctx context.Context, id board.ID, users []string) (map[string]string, error) {
	head, err := s.Items.Known(ctx)
	if err != nil {
		return nil, err
	}
	keys := head.KeysOf(users)
	found, err := s.Items.StandIns(ctx, keys)
	if err != nil {
		return nil, err
	}
	groups := map[string]string{}
	for i, user := range users {
		if p := found[keys[i]].Value; p != nil && !p.Status.Suppressed() {
			groups[user] = s.teamOf(p, id)
		}
	}
	return groups, nil
}

// teamOf returns the group of a person's team on a period's board, "" for none.
func (s *Store) teamOf(p *items.Person, id board.ID) string {
	b := s.Ledger.Rules().Board(id.Board)
	if b == nil || !s.Ledger.Admits(p.Asked(), id.Board, id.Period) {
		return ""
	}
	if team := b.TeamOf(p.Profile.Groups); team > 0 {
		return b.Teams[team-1].Group
	}
	return ""
}

// byKind parts views into those of boards of people and those of boards of teams.
func (s *Store) byKind(views []board.View) (people, teams []board.View) {
	for _, v := range views {
		if s.Ledger.Rules().OfTeams(v.Board) {
			teams = append(teams, v)
		} else {
			people = append(people, v)
		}
	}
	return people, teams
}

// inOrder puts standings into the order of the views that asked for them.
func inOrder(standings []OwnStanding, views []board.View) {
	place := func(s OwnStanding) int {
		return slices.IndexFunc(views, func(v board.View) bool {
			return v.Board == s.Board && v.Period.Window() == s.Period.Window() &&
				(v.Period == s.Period || v.Period.Window().Rolls())
		})
	}
	slices.SortStableFunc(standings, func(a, b OwnStanding) int { return place(a) - place(b) })
}

// teamStandings returns the standings of a person's teams on live boards, as that person sees them: with the person's
// own points, which others do not see of a hidden one, and which the sum has in a shadowed person's eyes alone. Boards
// that are not whole are left out.
func (s *Store) teamStandings(ctx context.Context, person *items.Person, user string, views []board.View) (
	[]OwnStanding, error,
) {
	if len(views) == 0 {
		return nil, nil
	}
	asked := make([]board.View, len(views))
	for i, v := range views {
		asked[i] = board.View{Board: v.Board, Period: v.Period, User: user, Optional: true}
	}
	pages, err := s.View.ReadAll(ctx, asked)
	if err != nil {
		return nil, err
	}
	status := person.Status
	var places map[board.ID]board.Packed
	if status.Supplied() {
		if places, err = s.places(ctx, user); err != nil {
			return nil, err
		}
	}
	var standings []OwnStanding
	for i, page := range pages {
		if page.Unready {
			continue
		}
		id := board.ID{Board: views[i].Board, Period: page.Period}
		teams, group, own := page.Teams, s.teamOf(person, id), page.Members[user].Own
		if status.Excluded {
			group = ""
		}
		if place := places[id]; place != 0 {
			own = place.Score()
			if status.Withheld() {
				teams = teams.With(s.Ledger.Rules().Teams()[id.Board], place)
			}
		}
		standings = append(standings, OwnStanding{id, teams.Standing(group, own)})
	}
	return standings, nil
}
