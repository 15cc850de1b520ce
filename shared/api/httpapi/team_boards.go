package httpapi

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"laurel/shared/core/board"
	"laurel/shared/store/final"
)

// ofTeams marks answers with a board whose places are teams'.
const ofTeams = "teams"

// A Team is a team on a board of teams.
type Team struct {
	ID      string `json:"id"`
	Label   string `json:"label,omitempty"`
	Members int64  `json:"members"`
}

// teamOf returns a team of a board as answers have it.
func (a *api) teamOf(name, group string, members int64) *Team {
	return &Team{ID: group, Label: a.Ledger.Rules().TeamLabel(name, group), Members: members}
}

// teamEntries are entries of teams on a board, with ranks in the period before where there are any.
func (a *api) teamEntries(name string, teams []board.Team, previous map[string]int64) []Member {
	entries := make([]Member, len(teams))
	for i, t := range teams {
		entries[i] = Member{Rank: t.Rank, Score: t.Sum, Team: a.teamOf(name, t.Group, t.Members)}
		if previous != nil {
			entries[i].PreviousRank = cmp.Or(previousRank(previous[t.Group]), noRank)
		}
	}
	return entries
}

// shownTeams are the teams on a page that are shown.
func (p parts) teams(v board.View, page board.Page) (teams []board.Team) {
	if p.page {
		teams = append(teams, pageOfTeams(v, page)...)
	}
	if p.near && page.Standing != nil && page.Standing.Of != nil {
		teams = append(teams, page.Teams.Around(page.Standing.Of.Group, v.Around)...)
	}
	return teams
}

// pageOfTeams are the teams on the page that a view asks for.
func pageOfTeams(v board.View, page board.Page) []board.Team {
	return page.Teams.Page(v.Offset, v.Limit, v.AfterTeam)
}

// nextTeams is the path of the page after one of teams; nil at the end.
func nextTeams(path string, query url.Values, v board.View, page board.Page) *string {
	teams := pageOfTeams(v, page)
	if len(teams) == 0 || teams[len(teams)-1].Rank >= page.Total {
		return nil
	}
	query.Del("offset")
	query.Set("period", v.Period.String())
	query.Set("after", teams[len(teams)-1].Text())
	return new(path + "?" + query.Encode())
}

// complete puts the parts on a page that the view does not have.
func (r boardReader) complete(ctx context.Context, v board.View, page *board.Page) error {
	if page.Teams == nil {
		return r.addRanks(ctx, v, page)
	}
	err := r.addTeamRanks(ctx, v, page)
	if err == nil {
		err = r.addTeams(ctx, v, page)
	}
	return err
}

// addTeamRanks puts the ranks of teams in the period before on a page, as addRanks does for people: those that the
// view does not know are read from the table, in one read.
func (r boardReader) addTeamRanks(ctx context.Context, v board.View, page *board.Page) error {
	asked := v.Movement || len(v.Asked()) > 0
	before := v.Period.Prev()
	moved := !page.Final && r.due(before)
	if !asked || !v.Period.Window().Tiles() || !page.Final && !moved && !r.ended(v.Period) {
		return nil
	}
	teams, err := r.Finals.Teams(ctx, v.Board, before)
	if errors.Is(err, final.ErrNotFinal) {
		if !page.Final {
			return nil
		}
		var live board.Page
		live, err = r.View.Read(ctx, board.View{Board: v.Board, Period: before})
		if err == nil && live.Teams != nil { // there are none if the board has become one of people
			teams = live.Teams.Places
		}
	}
	if err == nil {
		page.Teams.Previous = board.TeamRanks(teams)
	}
	return err
}

// addTeamRank puts the rank in the period before on a team's standing, where the view does not know it.
func (r boardReader) addTeamRank(ctx context.Context, v board.View, s *board.Standing) error {
	page := board.Page{Teams: &board.Teams{}}
	err := r.addTeamRanks(ctx, v, &page)
	if rank := page.Teams.Previous[s.Of.Group]; rank > 0 {
		s.PreviousRank = &rank
	}
	return err
}

// addTeams completes a page of a board of teams: by the standings of the people who are asked for. A person whose place
// is not on a live board has the present team, by a read of the table.
func (r boardReader) addTeams(ctx context.Context, v board.View, page *board.Page) error {
	var missing []string
	for _, user := range v.Asked() {
		if page.Members[user].Group == "" {
			missing = append(missing, user)
		}
	}
	var groups map[string]string
	if len(missing) > 0 && !page.Final {
		var err error
		if groups, err = r.People.TeamsOf(ctx, board.ID{Board: v.Board, Period: v.Period}, missing); err != nil {
			return err
		}
	}
	stand := func(user string) board.Standing {
		if m := page.Members[user]; m.Group != "" {
			return page.Teams.Standing(m.Group, m.Own)
		}
		return page.Teams.Standing(groups[user], 0)
	}
	page.Standings = nil
	for _, user := range v.Users {
		page.Standings = append(page.Standings, stand(user))
	}
	if v.User != "" {
		page.Standing = new(stand(v.User))
	}
	return nil
}
