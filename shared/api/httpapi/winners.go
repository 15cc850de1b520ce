package httpapi

import (
	"context"
	"maps"
	"slices"

	"laurel/shared/core/board"
	"laurel/shared/forum/people"
	"laurel/shared/store/final"
)

// boardWinners are the first of a board's ended periods.
type boardWinners struct {
	Board   string          `json:"board"`
	Window  string          `json:"window"`
	Of      string          `json:"of,omitempty"`
	Periods []winnersPeriod `json:"periods"`
	Next    *string         `json:"next"`
}

// A winnersPeriod has the first users of a period, or the first teams.
type winnersPeriod struct {
	Period  string   `json:"period"`
	EndsAt  string   `json:"endsAt"`
	Final   bool     `json:"final"`
	Entries []Member `json:"entries"`
}

type winnersInput struct {
	windowPath
	Limit  int    `query:"limit" minimum:"1" maximum:"31" default:"12"`
	Top    int    `query:"top" minimum:"1" maximum:"10" default:"3"`
	Before string `query:"before" format:"period"`
}

// Wreaths are the first places that a user won.
type Wreaths struct {
	Wreaths []people.Wreath `json:"wreaths"`
}

func (a *api) wreaths(ctx context.Context, in *userPath) (Wreaths, error) {
	all, err := a.People.Wreaths(ctx, in.User, exchangeOf(ctx).rules)
	return Wreaths{all}, err
}

func (a *api) winners(ctx context.Context, in *winnersInput) (boardWinners, error) {
	answer := boardWinners{Board: in.Board, Window: in.Window, Periods: []winnersPeriod{}}
	if a.Ledger.Rules().OfTeams(in.Board) {
		answer.Of = ofTeams
	}
	if !in.window().Ends() {
		return answer, nil
	}
	r, before := a.reader(), in.named(in.Before)
	current := r.present(in.Board, in.window())
	if in.window().Tiles() && (in.Before == "" || current.Compare(before) < 0) {
		before = current
	}
	periods, err := a.foundPeriods(ctx, in.windowPath, before, in.Limit+1)
	if err != nil {
		return answer, err
	}
	periods = slices.DeleteFunc(periods, func(f found) bool { return !r.ended(f.period) })
	more := len(periods) > in.Limit
	periods = periods[:min(in.Limit, len(periods))]
	if more {
		answer.Next = nextAt(ctx, "before", periods[in.Limit-1].period.String())
	}
	entries, err := a.firstEntries(ctx, in, periods)
	if err != nil {
		return answer, err
	}
	for i, p := range periods {
		_, endsAt := bounds(a.Ledger.Calendar(), p.period)
		answer.Periods = append(answer.Periods, winnersPeriod{
			Period: p.period.String(), EndsAt: *endsAt, Final: p.final != nil, Entries: entries[i],
		})
	}
	return answer, nil
}

// firstEntries returns the first entries of periods. Final ones stay those of people where a board has teams now.
func (a *api) firstEntries(ctx context.Context, in *winnersInput, periods []found) ([][]Member, error) {
	pages, names, err := a.firstPages(ctx, in, periods)
	if err != nil {
		return nil, err
	}
	entries := make([][]Member, len(periods))
	public := a.People.Names(ctx, slices.Collect(maps.Keys(names)), names)
	for i, page := range pages {
		if page.Teams == nil {
			entries[i] = a.entries(periods[i].period, page.Places, public)
			continue
		}
		teams := page.Teams.Places
		entries[i] = a.teamEntries(in.Board, teams[:min(len(teams), in.Top)], nil)
	}
	return entries, nil
}

// firstPages returns the first places of periods, or the teams, and the names of the users on them: those of live ones
// in one trip to the view, those of final ones in a read of the table for each 100 people.
func (a *api) firstPages(ctx context.Context, in *winnersInput, periods []found) (
	pages []board.Page, names map[string]string, err error,
) {
	var finals []final.Period
	var views []board.View
	for _, p := range periods {
		switch {
		case p.final == nil:
			views = append(views, board.View{Board: in.Board, Period: p.period, Limit: int64(in.Top)})
		case p.final.Teams == nil:
			finals = append(finals, *p.final)
		}
	}
	won, names, err := a.Finals.Winners(ctx, finals, in.Top)
	if err != nil {
		return nil, nil, err
	}
	live, err := a.View.ReadAll(ctx, views)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range periods {
		var page board.Page
		switch {
		case p.final != nil && p.final.Teams != nil:
			page.Teams = &board.Teams{Places: p.final.Teams}
		case p.final != nil:
			page.Places, won = won[0], won[1:]
		default:
			if page, live = live[0], live[1:]; page.Total == 0 { // it has become final meanwhile
				v := board.View{Board: in.Board, Period: p.period, Limit: int64(in.Top)}
				if page, err = a.reader().read(ctx, v); err != nil {
					return nil, nil, err
				}
			}
			maps.Copy(names, nameless(page.Names, page.Users()))
		}
		pages = append(pages, page)
	}
	return pages, names, nil
}
